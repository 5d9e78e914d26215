"""The marks of a score sheet (R63)."""

from itertools import product
from xml.etree import ElementTree

import pytest

from engine.marks import Marks, marks_of, marks_svg

DRAWN = [
    (100 * crossed + 50 * circles + 20 * sticks, crossed, circles, sticks)
    for crossed, circles, sticks in product(range(22), range(4), range(8))
]


def best(points: int) -> tuple[int, ...]:
    """R63 word for word, by looking at everything that could be drawn."""
    readings = [
        (crossed + circles + sticks, abs(points - worth), worth > points, crossed, circles, sticks)
        for worth, crossed, circles, sticks in DRAWN
        if abs(points - worth) <= 10
    ]
    first, *others = sorted(readings)
    assert all(other[:3] != first[:3] for other in others)
    return first


@pytest.mark.parametrize(
    ("points", "marks"),
    [
        (36, Marks(sticks=2, small=4, above=True)),  # E20
        (68, Marks(circles=1, sticks=1, small=2, above=True)),  # E20
        (57, Marks(circles=1, small=7)),  # E20
        (30, Marks(sticks=1, small=10)),
        (0, Marks()),
        (5, Marks(small=5)),
        (10, Marks(small=10)),
        (45, Marks(circles=1, small=5, above=True)),
        (60, Marks(circles=1, small=10)),
        (162, Marks(crossed=1, circles=1, sticks=1, small=8, above=True)),
        (500, Marks(crossed=5)),
        (-68, Marks(circles=1, sticks=1, small=2, above=True, negative=True)),
    ],
)
def test_r63_e20_marks(points: int, marks: Marks) -> None:
    assert marks_of(points) == marks
    assert marks.points == points


def test_r63_every_number_has_the_fewest_marks() -> None:
    for points in range(2001):
        marks = marks_of(points)
        fewest, small, above, crossed, circles, sticks = best(points)
        assert marks == Marks(crossed, circles, sticks, small, above), points
        assert marks.points == points
        assert marks.crossed + marks.circles + marks.sticks == fewest
        assert marks_of(-points).points == -points


@pytest.mark.parametrize("points", [*range(-120, 320), 1001])
def test_the_drawing_holds_what_the_marks_say(points: int) -> None:
    marks = marks_of(points)
    svg = ElementTree.fromstring(marks_svg(marks))
    names = [element.tag.rpartition("}")[2] for element in svg]
    assert names[0] == "title"
    assert svg[0].text == str(points)
    assert names.count("circle") == marks.crossed + marks.circles
    assert names.count("path") == marks.crossed + marks.sticks + marks.negative
    assert [element.text for element in svg if element.tag.endswith("text")] == [str(marks.small)] * (marks.small > 0)
    assert not [attribute for element in svg.iter() for attribute in element.attrib if attribute in ("style", "onload")]


def test_the_drawing_keeps_inside_its_frame() -> None:
    for points in range(-300, 2001):
        svg = ElementTree.fromstring(marks_svg(marks_of(points)))
        width = float(svg.attrib["viewBox"].split()[2])
        for element in svg:
            x = float(element.get("cx", element.get("x", "0")))
            assert x <= width - (7 if element.tag.endswith("circle") else 0)
