"""Lists of players from files as people have them: what is read, what is told, what is taken."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable

import pytest
from openpyxl import Workbook

from matches.models import Player, PlayerKind
from matches.services.players import person
from tests.cast import anna, tournament
from tests.tournaments.entries.fields import house, under_way
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import RoundStatus
from tournaments.imports.players import Report, dry_run, format_report, parse_report, take
from tournaments.imports.reading import Listed, read_rows
from tournaments.imports.sheet import MOST_BYTES, MOST_LINES
from tournaments.models import Tournament
from tournaments.services import entries

LIST = "Name;Club;Rating\nOlha Koval;Debut;1500\nRoman Bilyk;;\n"


def csv_file(text: str, encoding: str = "utf-8") -> io.BytesIO:
    return io.BytesIO(text.encode(encoding))


def workbook(*rows: tuple[object, ...]) -> io.BytesIO:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    file.seek(0)
    return file


def told(listed: Listed | Report) -> list[tuple[int, str, str]]:
    return [(problem.line, problem.column, problem.what) for problem in listed.problems]


def names(listed: Listed) -> list[tuple[str, ...]]:
    return [row.players for row in listed.rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_every_way_in_which_spreadsheets_write_text(encoding: str, delimiter: str) -> None:
    text = "Рейтинг;Гравець;Клуб\r\n1500;Ольга Їжак;Дебют\r\n;Роман;\r\n".replace(";", delimiter)
    listed = read_rows(csv_file(text, encoding), 1)
    assert told(listed) == []
    assert [(row.line, row.players, row.club, row.rating) for row in listed.rows] == [
        (2, ("Ольга Їжак",), "Дебют", 1500),
        (3, ("Роман",), "", None),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "name;partner;club;rating;seed;substitutes",
        "ПІБ ;Напарник:;КЛУБ;Рейтинг;№;Запасні",
        "Фамилия и имя;Партнёр;Клуб;рейтинг;Посев;Запасные",
        "Імʼя;партнер;клуб;Рейтинг*;посів;заміни",
    ],
)
def test_headings_in_three_languages(heading: str) -> None:
    (row,) = read_rows(csv_file(f"{heading}\nOlha;Roman;Debut;1500;3;Petro / Taras\n"), 2).rows
    assert (row.name, row.players, row.substitutes) == (None, ("Olha", "Roman"), ("Petro", "Taras"))
    assert (row.club, row.rating, row.seed, row.entry_name) == ("Debut", 1500, 3, "Olha & Roman")


def test_a_workbook_is_read_like_its_text_and_its_numbers_as_they_are_seen() -> None:
    rows = (("Rating", "Player", "Born"), (1500.0, "Olha Koval", 1990), (), (None, "Roman"))
    listed = read_rows(workbook(*rows), 1)
    assert told(listed) == []
    assert [(row.line, row.players, row.rating) for row in listed.rows] == [
        (2, ("Olha Koval",), 1500),
        (4, ("Roman",), None),
    ]
    assert listed.ignored == ("Born",)


def test_a_line_that_names_the_separator_and_quoted_cells() -> None:
    listed = read_rows(csv_file('sep=,\nname,members\n"The ""Cossacks""","Olha, Roman"\n'), 2)
    assert [(row.line, row.name, row.players) for row in listed.rows] == [(3, 'The "Cossacks"', ("Olha", "Roman"))]


def test_a_name_in_two_columns_is_put_together() -> None:
    assert names(read_rows(csv_file("№;Прізвище;Ім'я\n1;Коваль;Ольга\n2;Білик;\n"), 1)) == [
        ("Коваль Ольга",),
        ("Білик",),
    ]


@pytest.mark.parametrize("cell", ["Olha & Roman", "Olha / Roman", "Olha – Roman", "Olha + Roman"])
def test_a_pair_in_one_cell(cell: str) -> None:
    assert names(read_rows(csv_file(f"pair\n{cell}\n"), 2)) == [("Olha", "Roman")]
    assert names(read_rows(csv_file("pair\nOlha Ivanova-Koval & Roman\n"), 2)) == [("Olha Ivanova-Koval", "Roman")]


@pytest.mark.parametrize(
    ("text", "hands", "line", "column", "what"),
    [
        ("Spieler\nOlha\n", 1, 1, "", "None of the headings is a name: Spieler."),
        ("", 1, 0, "", "The file is empty."),
        ("\n \n;;\n", 1, 0, "", "The file is empty."),
        ("name\n", 1, 1, "", "There are headings and nothing below them."),
        ("Name;Club;Клуб\nOlha;A;B\n", 1, 1, "Club, Клуб", "Several columns are the club."),
        ("Name;Player;ПІБ\nOlha;A;B\n", 1, 1, "Name, Player, ПІБ", "Several columns are the name."),
        ("name;Elo\nOlha;strong\n", 1, 2, "Elo", "“strong” is no rating."),
        ("name;Elo\nOlha;0\n", 1, 2, "Elo", "“0” is no rating."),
        ("name;Elo\nOlha;-3\n", 1, 2, "Elo", "“-3” is no rating."),
        ("name;Elo\nOlha;1500.5\n", 1, 2, "Elo", "“1500.5” is no rating."),
        ("name;Elo\nOlha;१५००\n", 1, 2, "Elo", "“१५००” is no rating."),
        ("name;club\n;Debut\n", 1, 2, "name", "A player needs a name."),
        ("name\n#REF!\n", 1, 2, "name", "The spreadsheet says #REF!."),
        ("name\nOl\u200bha\n", 1, 2, "name", "The name has a character that cannot be seen (U+200B)."),
        (f"name\n{'O' * 61}\n", 1, 2, "name", "The name has 61 characters; 60 are the most."),
        (f"name;club\nOlha;{'O' * 61}\n", 1, 2, "club", "The club has 61 characters."),
        ("name\nOlha\nolha\n", 1, 3, "name", "“olha” is in line 2 too."),
        ("name;seed\nOlha;2\nRoman;2\n", 1, 3, "seed", "Seed 2 is in line 2 too."),
        ("name;partner\nOlha;Roman\n", 1, 2, "partner", "Olha, Roman: 2 players."),
        ("name;partner\nOlha;-\n", 2, 2, "partner", "Olha has no partner."),
        ("name;partner\nOlha;olha\n", 2, 2, "name", "“Olha” is there twice."),
        ("name;members;partner\nA;Olha, Roman;Petro\n", 2, 2, "partner", "There are a partner and members too."),
        ("name;members\nA;Olha, Roman, Petro\n", 2, 2, "members", "Olha, Roman, Petro: 3 players."),
        ('name\nOlha\n"Roman\n', 1, 3, "", "The quotation marks of this line do not fit together"),
        ("name\nO\0lha\n", 1, 0, "", "This is no text"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_column(text: str, hands: int, line: int, column: str, what: str) -> None:
    (problem,) = read_rows(csv_file(text), hands).problems
    assert (problem.line, problem.column) == (line, column)
    assert problem.what.startswith(what)
    assert problem.expected


def test_every_problem_is_told_and_not_the_first_alone() -> None:
    listed = read_rows(csv_file("name;rating\nOlha;x\n;1\nRoman;y\nPetro;1\n"), 1)
    assert [line for line, _, _ in told(listed)] == [2, 3, 4]
    assert names(listed) == [("Petro",)]


def test_a_file_that_is_too_large_or_too_long() -> None:
    large = read_rows(io.BytesIO(b"name\n" + b"O" * MOST_BYTES), 1)
    assert "larger than 2 MB" in large.problems[0].what
    lines = "".join(f"P{number}\n" for number in range(MOST_LINES + 1))
    long = read_rows(csv_file(f"name\n{lines}"), 1)
    assert told(long)[0][2] == f"There are more than {MOST_LINES} lines: import them in parts."
    book = workbook(("name",), *((f"P{number}",) for number in range(MOST_LINES + 1)))
    assert told(read_rows(book, 1))[0][2] == f"There are more than {MOST_LINES} lines: import them in parts."
    wide = read_rows(csv_file("name" + ";x" * 50 + "\nOlha\n"), 1)
    assert told(wide)[0][2].startswith("There are more than 50 columns")
    endless = read_rows(csv_file(f"name\n{'O' * 1001}\n"), 1)
    assert told(endless)[0][2].startswith("A cell has more than 1000 characters")


def repacked(change: Callable[[str, bytes], bytes]) -> io.BytesIO:
    """A workbook of one player, with its parts changed."""
    book, file = workbook(("name",), ("Olha",)), io.BytesIO()
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, change(part.filename, old.read(part)))
    file.seek(0)
    return file


def test_a_bomb_is_not_unpacked() -> None:
    bomb = repacked(lambda name, part: part + b" " * 40_000_000 if name.endswith("sheet1.xml") else part)
    assert len(bomb.getvalue()) < 100_000
    assert "unpacks to far more" in told(read_rows(bomb, 1))[0][2]


def test_entities_are_not_expanded() -> None:
    entity = b'<!DOCTYPE x [<!ENTITY y "Olha">]>'
    evil = repacked(lambda name, part: part.replace(b"<worksheet", entity + b"<worksheet", 1))
    assert "no spreadsheet writes" in told(read_rows(evil, 1))[0][2]


def test_a_sheet_that_says_it_is_endless_is_read_for_what_it_holds() -> None:
    def stretched(name: str, part: bytes) -> bytes:
        return part.replace(b'<row r="2"', b'<row r="999999"').replace(b'ref="A1:A2"', b'ref="A1:XFD1048576"')

    listed = read_rows(repacked(stretched), 1)
    assert [(row.line, row.players) for row in listed.rows] == [(999_999, ("Olha",))]


def test_broken_workbooks_are_told_and_never_a_fault_of_ours() -> None:
    whole = workbook(("name", "rating"), ("Olha", 1500), ("Roman", None)).getvalue()
    chance = random.Random(7)
    for _ in range(60):
        content = bytearray(whole[: chance.randrange(4, len(whole))] if chance.random() < 0.3 else whole)
        for _ in range(chance.randrange(1, 20)):
            content[chance.randrange(4, len(content))] = chance.randrange(256)
        listed = read_rows(io.BytesIO(bytes(content)), 1)
        assert listed.rows or listed.problems
    assert "of the old kind" in told(read_rows(io.BytesIO(b"\xd0\xcf\x11\xe0" + bytes(600)), 1))[0][2]
    assert told(read_rows(io.BytesIO(b"\xff\xd8\xff\xe0\x98\x00"), 1)) != []


@pytest.fixture
def cup(db: None) -> Tournament:
    return tournament()


def field(cup: Tournament) -> list[tuple[int, str, str, int | None]]:
    return list(cup.entries.order_by("number").values_list("number", "name", "club", "rating"))


def test_everybody_is_entered_as_a_person_and_known_players_as_themselves(cup: Tournament) -> None:
    roman, danylo = person("Roman Bilyk", anna()), house("Danylo").player
    report = dry_run(cup, csv_file(LIST + "Danylo\n"))
    assert (report.problems, report.known, report.may_be_taken) == ((), ("Danylo", "Roman Bilyk"), True)
    assert not cup.entries.exists(), "a dry run enters nobody"
    new = take(cup, report, anna())
    assert field(cup) == [
        (1, "Olha Koval", "Debut", 1500),
        (2, "Roman Bilyk", "", None),
        (3, "Danylo", "", None),
    ]
    olha = Player.objects.get(name="Olha Koval")
    assert (olha.kind, olha.owner, olha.agents.get().kind) == (PlayerKind.PERSON, None, "person")
    assert [entry.members.get().player for entry in new] == [olha, roman, danylo]
    assert (cup.events.last().kind, cup.events.last().actor) == ("imported", anna())


def test_the_same_list_twice_enters_nobody_twice_and_brings_ratings_up_to_date(cup: Tournament) -> None:
    take(cup, dry_run(cup, csv_file(LIST)))
    report = dry_run(cup, csv_file("name;club;rating\nolha koval;Gambit;1600\nRoman Bilyk;;\nPetro;;\n"))
    assert (report.problems, report.there) == ((), ("olha koval", "Roman Bilyk"))
    assert [entry.name for entry in take(cup, report)] == ["Petro"]
    assert take(cup, report) == []
    assert field(cup) == [(1, "Olha Koval", "Gambit", 1600), (2, "Roman Bilyk", "", None), (3, "Petro", "", None)]
    assert cup.events.filter(kind="imported").count() == 2


def test_seeds_order_everybody_those_without_behind(cup: Tournament) -> None:
    entries.enter(cup.pk, house("Danylo"))
    entries.enter(cup.pk, house("Vira"))
    take(cup, dry_run(cup, csv_file("name;seed\nOlha;20\nRoman;\nVira;3\n")))
    assert [name for _, name, _, _ in field(cup)] == ["Vira", "Olha", "Danylo", "Roman"]


def test_teams_come_with_those_who_stand_by(db: None) -> None:
    cup = tournament(rules="klabor/pairs")
    text = "team;members;substitutes\nCossacks;Olha, Roman;Petro\n;Taras & Vira;\n"
    take(cup, dry_run(cup, csv_file(text.replace("\n;", "\n-;"))))
    assert [name for _, name, _, _ in field(cup)] == ["Cossacks", "Taras & Vira"]
    members = cup.entries.get(number=1).members.order_by("position")
    assert list(members.values_list("player__name", flat=True)) == ["Olha", "Roman", "Petro"]


def test_what_speaks_against_a_line_in_this_tournament(db: None) -> None:
    cup = tournament(rules="klabor/pairs")
    entries.enter(cup.pk, house("Olha"), house("Roman"), name="Cossacks")
    Player.objects.create(name="Sleeper", kind=PlayerKind.BOT, owner=anna())
    lines = ("Olha;Petro", "Taras;house:nobody", "Sleeper;Vira")
    report = dry_run(cup, csv_file("name;partner\n" + "\n".join(lines)))
    assert told(report) == [
        (2, "", "“Olha” plays for “Cossacks” already."),
        (3, "", "“house:nobody” begins with “house:”."),
        (4, "", "Sleeper has no active version: admit one first."),
    ]
    with pytest.raises(TournamentError) as refusal:
        take(cup, report)
    assert refusal.value.code == "import_has_problems"
    again = dry_run(cup, csv_file("name;members\nCossacks;Olha, Petro\n"))
    assert told(again) == [(2, "", "“Cossacks” is entered already, without “Petro”.")]


def test_what_changed_since_the_dry_run_imports_nothing_at_all(cup: Tournament) -> None:
    report = dry_run(cup, csv_file("name\nOlha\nRoman\n"))
    entries.enter_player(cup.pk, person("Roman"))
    other = parse_report(format_report(report))
    entries.leave(cup.entries.get().pk)
    entries.enter(cup.pk, Player.objects.get(name="Roman").agents.get(), name="Somebody else")
    with pytest.raises(TournamentError, match="Line 3: “Roman” plays for “Somebody else” already") as refusal:
        take(cup, other)
    assert refusal.value.code == "import_outdated"
    assert [name for _, name, _, _ in field(cup)] == ["Somebody else"]
    assert not Player.objects.filter(name="Olha").exists()


def test_a_running_tournament_says_whether_it_takes_late_entries(db: None) -> None:
    closed = under_way(RoundStatus.CLOSED)
    assert told(dry_run(closed, csv_file(LIST)))[0][0] == 0
    late = under_way(RoundStatus.CLOSED, slug="winter-cup", late_until_round=3)
    report = dry_run(late, csv_file(LIST.replace("Name", "Seed;Name").replace("\nO", "\n1;O").replace("\nR", "\n2;R")))
    assert report.problems == ()
    take(late, report)
    assert [(number, name) for number, name, _, _ in field(late)][-2:] == [(5, "Olha Koval"), (6, "Roman Bilyk")]


def test_a_long_list_is_taken_in_few_statements(cup: Tournament, django_assert_max_num_queries: object) -> None:
    report = dry_run(cup, csv_file("name;seed\n" + "".join(f"P{number};{401 - number}\n" for number in range(1, 401))))
    with django_assert_max_num_queries(25):  # type: ignore[operator]
        new = take(cup, report)
    assert [entry.name for entry in (new[0], new[-1])] == ["P400", "P1"]
    assert [name for _, name, _, _ in field(cup)][:2] == ["P400", "P399"]
    assert cup.events.filter(kind="entered").count() == 400


def test_a_long_list_taken_again_writes_what_differs_alone(
    cup: Tournament, django_assert_max_num_queries: object
) -> None:
    lines = [f"P{number};1500;Debut" for number in range(1, 201)]
    take(cup, dry_run(cup, csv_file("name;rating;club\n" + "\n".join(lines))))
    lines[7:9] = ["P8;1600;Debut", "P9;;Gambit"]
    report = dry_run(cup, csv_file("name;rating;club\n" + "\n".join(lines)))
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        assert take(cup, report) == []
    assert [event.payload["name"] for event in cup.events.filter(kind="rated")] == ["P8"]
    assert field(cup)[6:9] == [(7, "P7", "Debut", 1500), (8, "P8", "Debut", 1600), (9, "P9", "Gambit", 1500)]


def test_a_report_is_kept_as_json_between_both_steps(cup: Tournament) -> None:
    report = dry_run(cup, csv_file("name;rating\nOlha;x\nRoman;5\n"))
    assert parse_report(format_report(report)) == report
