"""The drawing in a real browser, on a phone and on a desk: names fit their boxes, and only the box goes sideways."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, sync_playwright

from deploy.embedded.paths import PROJECT
from tests.browser.chromium import ARGUMENTS, chromium_path
from tests.tournaments.brackets.playing import better_seed, played
from tournaments.formats import double_elimination, single_elimination
from tournaments.formats.brackets import Bracket, folded
from tournaments.web.bracket_drawing import Tie, Words, drawing_of
from tournaments.web.bracket_layout import LINE

pytestmark = pytest.mark.browser
STYLES = ("manela", "standings", "bracket")
NAMES = (
    "Anna",
    "WWWWWWWWWWWWWWWWWWWW",
    "Єлизавета Щербаківська-Мельниченко",
    "漢字漢字漢字漢字漢字漢字",
    "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii",
)
OVERFLOWING = """() => [...document.querySelectorAll('.bracket-row')].filter(row => {
    const names = [...row.querySelectorAll('.bracket-name')].map(one => one.getBBox());
    const score = row.querySelector('.bracket-score').getBBox();
    const frame = row.parentElement.querySelector('.bracket-frame').getBBox();
    const right = Math.max(...names.map(name => name.x + name.width));
    const height = names.reduce((high, name) => high + name.height, 0);
    return right > (score.width ? score.x - 2 : frame.x + frame.width - 4) || height > 44;
}).map(row => row.textContent.trim())"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=os.fspath(chromium_path()), args=list(ARGUMENTS))
        yield browser
        browser.close()


def opened(chromium: Browser, width: int, bracket: Bracket, theme: str = "light") -> Page:
    decisions = played(bracket, better_seed)
    slots, over = folded(bracket, decisions)
    names = {seed: NAMES[seed % len(NAMES)] for seed in range(1, bracket.entrants + 1)}
    ties = {number: Tie(f"/m/{number}/", ("101", "98")) for number in decisions}
    html = render_to_string(
        "tournaments/bracket.html", {"drawing": drawing_of(bracket, slots, Words("Cup", names, over, ties))}
    )
    sheets = "".join((PROJECT / "deploy" / "static" / "manela" / f"{name}.css").read_text() for name in STYLES)
    page = chromium.new_page(viewport={"width": width, "height": 800})
    page.set_content(
        f'<!doctype html><html lang="en" data-theme="{theme}"><meta name="viewport" content="width=device-width">'
        f'<style>{sheets}</style><main><div class="wrap">{html}</div></main></html>'
    )
    return page


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("entrants", [3, 13, 64])
def test_names_fit_and_only_the_box_goes_sideways(chromium: Browser, width: int, entrants: int) -> None:
    page = opened(chromium, width, double_elimination.bracket_of(entrants))
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    sideways = page.locator(".bracket-box").first.evaluate("box => box.scrollWidth - box.clientWidth")
    assert sideways > 0 or (entrants, width) == (3, 1280)
    page.close()


def test_lines_are_a_finger_high_and_letters_no_smaller_than_13_pixels(chromium: Browser) -> None:
    page = opened(chromium, 360, double_elimination.bracket_of(8))
    frames = page.evaluate(
        "[...document.querySelectorAll('.bracket-frame')].map(one => one.getBoundingClientRect().height)"
    )
    letters = page.evaluate(
        "[...document.querySelectorAll('.bracket-band text')].map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(frames) >= 2 * LINE >= 88
    assert min(letters) >= 13
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_letters_stand_out_from_their_boxes(chromium: Browser, theme: str) -> None:
    page = opened(chromium, 1280, single_elimination.bracket_of(4), theme)
    ink, paper = (
        page.evaluate(f"getComputedStyle(document.querySelector('{where}')).{what}")
        for where, what in ((".bracket-row-lost .bracket-name", "fill"), (".bracket-box", "backgroundColor"))
    )
    assert contrast(ink, paper) >= 4.5, f"{ink} on {paper}"
    page.close()


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio of two colours as a browser computes them: rgb(1, 2, 3)."""
    lights = sorted(_light(colour) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _light(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_list_says_the_same_and_leads_to_the_matches(chromium: Browser) -> None:
    page = opened(chromium, 360, single_elimination.bracket_of(8))
    page.get_by_text("The same as a list").click()
    assert page.locator(".bracket-list h3").all_inner_texts() == ["Quarter-finals", "Semi-finals", "Final"]
    assert page.locator(".bracket-list ul li a").count() == 7 == page.locator("svg a").count()
    page.close()


def test_on_paper_every_band_fits_a_sheet(chromium: Browser) -> None:
    page = opened(chromium, 1040, single_elimination.bracket_of(64))
    page.emulate_media(media="print")
    heights = page.evaluate(
        "[...document.querySelectorAll('.bracket-band')].map(one => one.getBoundingClientRect().height)"
    )
    assert max(heights) <= 165 / 25.4 * 96
    assert not page.locator(".bracket-list ul li").first.is_visible()
    page.close()
