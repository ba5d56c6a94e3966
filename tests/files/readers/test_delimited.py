"""CSV and TSV: quotes that are not closed, line ends, headers."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psif.errors import FormatError, InputError
from psif.files.readers import ReadOptions, ReadReport, read_documents
from psif.files.readers.quotes import open_quote

SKIP = ReadOptions(on_error="skip")


def put(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def table(n_rows, broken, delimiter=","):
    """Rows of an id and a text; the text of one of them opens a quote and does not close it."""
    quotes = ['"' if i == broken else "" for i in range(n_rows)]
    rows = [f"{i}{delimiter}{quote}text {i}\n" for i, quote in enumerate(quotes)]
    return "".join([f"id{delimiter}text\n", *rows])


@pytest.mark.parametrize(("ending", "delimiter"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize("broken", [0, 7, 998])
def test_an_unclosed_quote_is_told_with_its_line(tmp_path, ending, delimiter, broken):
    path = put(tmp_path / f"x.{ending}", table(999, broken, delimiter))
    message = f"{re.escape(path)}, line {broken + 2}: the quote that is opened here is not closed"
    with pytest.raises(FormatError, match=message):
        list(read_documents([path]))


@pytest.mark.parametrize("broken", [0, 7, 998])
def test_an_unclosed_quote_costs_one_row_when_bad_records_are_skipped(tmp_path, broken):
    path = put(tmp_path / "x.csv", table(999, broken))
    report = ReadReport()
    docs = list(read_documents([path], SKIP, report))
    assert [doc.id for doc in docs] == [str(i) for i in range(999) if i != broken]
    assert [doc.text for doc in docs] == [f"text {doc.id}" for doc in docs]
    assert report.n_skipped == 1
    assert f"line {broken + 2}: the quote" in report.problems[0]


def test_a_quote_closed_by_the_next_quoted_field_is_unclosed(tmp_path):
    content = 'id,text\n1,"open\n2,plain\n3,"good, text"\n4,end\n'
    path = put(tmp_path / "x.csv", content)
    with pytest.raises(FormatError, match=r"line 2: the quote .*read as far as line 4"):
        list(read_documents([path]))
    docs = list(read_documents([path], SKIP))
    assert docs == [("2", "plain"), ("3", "good, text"), ("4", "end")]


def test_the_line_of_the_quote_in_a_row_of_several_lines(tmp_path):
    path = put(tmp_path / "x.csv", 'id,text,more\n1,"two\nlines","open\n2,a,b\n')
    with pytest.raises(FormatError, match="line 3: the quote that is opened here"):
        list(read_documents([path]))


def test_an_unclosed_quote_in_the_header_is_never_skipped(tmp_path):
    path = put(tmp_path / "x.csv", 'id,"text\n1,a\n')
    with pytest.raises(FormatError, match="line 1: the quote"):
        list(read_documents([path], SKIP))


def test_quotes_that_are_fine(tmp_path):
    content = (
        "id,text\n"
        '1,"two\nlines"\n'
        '2,"a ""word"" in quotes"\n'
        '3,5" pipe\n'
        '4,"quoted" and more\n'
        '5,""\n'
        '6,"crlf\r\ninside"\r\n'
        "\n"
        '7,"no line end"'
    )
    docs = list(read_documents([put(tmp_path / "x.csv", content)]))
    assert dict(docs) == {
        "1": "two\nlines",
        "2": 'a "word" in quotes',
        "3": '5" pipe',
        "4": "quoted and more",
        "5": "",
        "6": "crlf\r\ninside",
        "7": "no line end",
    }


def test_a_row_of_several_lines_with_a_wrong_number_of_fields_says_where_it_is(tmp_path):
    path = put(tmp_path / "x.csv", 'id,text\n1,"two\nlines",x\n2,a\n')
    with pytest.raises(FormatError, match="lines 2 to 3: 3 fields, expected 2"):
        list(read_documents([path]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_line_ends(tmp_path, end, encoding):
    lines = ["id,text", "1,Größe", '2,"a, b"', "3,last"]
    path = put(tmp_path / "x.csv", end.join(lines).encode(encoding))
    assert list(read_documents([path])) == [("1", "Größe"), ("2", "a, b"), ("3", "last")]


def test_a_carriage_return_inside_a_field(tmp_path):
    path = put(tmp_path / "x.csv", "id,text\n1,a\rb\n2,c\n")
    with pytest.raises(FormatError, match="line 2: new-line character"):
        list(read_documents([path]))
    assert list(read_documents([path], SKIP)) == [("2", "c")]


@pytest.mark.parametrize(("column", "header"), [("text", "id,text,text"), ("id", "id,id,text")])
def test_two_columns_of_one_name(tmp_path, column, header):
    path = put(tmp_path / "x.csv", f"{header}\n1,2,3\n")
    with pytest.raises(InputError, match=f"2 columns are called '{column}'; rename all but one"):
        list(read_documents([path]))


FIELDS = st.text(st.sampled_from('ab ,"\n\r'), max_size=6)


@given(st.lists(st.tuples(FIELDS, FIELDS), max_size=6))
def test_whatever_the_csv_module_writes_comes_back(tmp_path_factory, rows):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("id", "text"), *rows, ("end", "x")])
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text(out.getvalue(), newline="")
    assert list(read_documents([path])) == [*rows, ("end", "x")]


def slow_open_quote(lines):
    """The same, character by character."""
    opened, at_start = None, True
    for number, line in enumerate(lines):
        if opened is None:
            at_start = True
        i = 0
        while i < len(line):
            if opened is not None:
                if line[i : i + 2] == '""':
                    i += 1
                elif line[i] == '"':
                    opened, at_start = None, False
            elif line[i] == '"' and at_start:
                opened = number
            else:
                at_start = line[i] == ","
            i += 1
    return opened


@given(st.lists(st.text(st.sampled_from('a",'), max_size=7), max_size=5))
def test_open_quote_agrees_with_its_slow_twin(lines):
    assert open_quote(lines, ",") == slow_open_quote(lines)
