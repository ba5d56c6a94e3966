"""The page in a real browser."""

import json
import re

import pytest

from psif.explorer.palette import PAGES, contrast, from_hex, palette
from tests.explorer.worlds import HOSTILE, documents

pytestmark = pytest.mark.xdist_group("chromium")
IDS = list(documents())
MODES = ["served", "exported"]


@pytest.fixture(params=MODES)
def url(request):
    return request.getfixturevalue(request.param)


def until(page, condition):
    """Poll from outside: the page's own policy forbids it to evaluate strings."""
    for _ in range(400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {condition}")


def heading(page, text):
    until(page, f"document.querySelector('#panel h2').textContent === {json.dumps(text)}")


def go(page, view):
    page.evaluate("view => { location.hash = view; }", view)


def search(page, text):
    page.fill("#query", text)
    page.press("#query", "Enter")
    page.wait_for_selector(f"h2:has-text({('Search: ' + text)!r})")


def pixel_of(page, number):
    """Where a document is on the screen."""
    box = page.locator("#overlay").bounding_box()
    x, y = page.evaluate("number => Explorer.map.pixel(number)", number)
    return box["x"] + x, box["y"] + y


def test_loads_at_every_width_without_scrolling_sideways(visit, url, size):
    page = visit(url, *size)
    assert page.title().startswith("Ships & <b>planes</b>")
    assert page.locator("#panel .topic").count() == 3
    for view in ("#/", "#/topics", "#/document/0", "#/compare/0/1", "#/topic/1"):
        go(page, view)
        page.wait_for_selector("#panel h2")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_dots_are_drawn(visit, url):
    page = visit(url)
    # As many colours as topics, somewhere on the canvas.
    n_colours = page.evaluate(
        """() => {
          const canvas = document.getElementById("points"), copy = document.createElement("canvas");
          copy.width = canvas.width; copy.height = canvas.height;
          Explorer.map.drawn = ""; Explorer.map.paint();
          const pen = copy.getContext("2d"); pen.drawImage(canvas, 0, 0);
          const data = pen.getImageData(0, 0, copy.width, copy.height).data, seen = new Set();
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] > 190) seen.add([0, 1, 2].map(c => data[i + c] >> 5).join());
          }
          return seen.size;
        }"""
    )
    assert n_colours >= 2


def test_search_by_text_finds_what_the_model_finds(visit, url, answers):
    page = visit(url)
    search(page, "bread and butter")
    shown = page.locator("#panel ol").last.locator("li a").all_text_contents()
    served = url.startswith("http")
    ask = answers.search if served else answers.nearest
    found = ask("bread and butter")["found"]
    assert shown[:5] == [IDS[row[0]] for row in found[:5]]
    reasons = page.locator("#panel .why").all_text_contents()
    assert reasons == ([row[2] for row in found[:10]] if served else [])


def test_search_by_id(visit, url):
    page = visit(url)
    search(page, "doc-17")
    assert page.locator("#panel ol").first.locator("a").first.text_content() == "doc-17"


def test_unknown_words_are_told(visit, url):
    page = visit(url)
    search(page, "qqqq")
    assert "The model knows no word of this" in page.locator("#panel").text_content()
    search(page, "qqqq ship zzzz qqqq")
    assert "leaves them out: qqqq, zzzz." in page.locator("#panel .reason").text_content()


def test_a_repeated_word_is_not_unknown(visit, url):
    page = visit(url)
    search(page, "ship ship")
    assert page.locator("#panel .reason").count() == 0


def test_comparing_unknown_words_gives_the_reason(visit, url):
    page = visit(url + "#/compare/=qqqq%20zzzz/0")
    reason = page.locator("#panel .reason").text_content()
    assert "knows no word of the first text (qqqq, zzzz)" in reason
    # A table of zeros would say nothing.
    assert page.locator("#parts").count() == 0
    go(page, "#/compare/=...%20!/=ship")
    until(page, "document.querySelector('#panel').textContent.includes('first text has no words')")
    go(page, "#/compare/=ship%20qqqq/=the%20wave")
    until(page, "document.querySelector('#parts') !== null")
    assert "of the first text, and leaves them out: qqqq." in page.locator(".reason").text_content()


def test_the_hover_card_goes_when_somebody_types(visit, url):
    page = visit(url)
    x, y = pixel_of(page, 5)
    page.mouse.move(x, y)
    until(page, "!document.getElementById('tip').hidden")
    page.focus("#query")
    until(page, "document.getElementById('tip').hidden")
    page.mouse.move(x + 1, y)
    until(page, "!document.getElementById('tip').hidden")
    page.keyboard.type("s")
    assert page.evaluate("document.getElementById('tip').hidden && Explorer.map.hover === -1")


def test_the_keyboards_card_goes_with_the_focus(visit, exported):
    page = visit(exported)
    page.focus("#overlay")
    page.keyboard.press("ArrowRight")
    assert not page.evaluate("document.getElementById('tip').hidden")
    page.focus("#query")
    assert page.evaluate("document.getElementById('tip').hidden")


LABELS = """() => {
  const map = Explorer.map, buttons = map.buttons();
  const inside = (box, x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  return map.labels.placed.map(({ box, label: topic, shown }) => {
    let hidden = 0;
    for (let i = 0; i < map.topics.length; i++) if (inside(box, ...map.pixel(i))) hidden++;
    const meets = other => box.left < other.right && box.right > other.left
      && box.top < other.bottom && box.bottom > other.top;
    return { topic, shown, hidden, covered: buttons.some(meets) };
  });
}"""


def test_labels_hide_few_dots_and_no_button_hides_them(visit, exported, size):
    page = visit(exported, *size)
    labels = page.evaluate(LABELS)
    assert labels
    for label in labels:
        assert label["shown"]
        assert not label["covered"]
        # The squares of the count are a little larger than the boxes.
        assert label["hidden"] <= 12


def test_labels_over_faded_dots_are_faded(visit, exported):
    page = visit(exported)
    assert all(label["shown"] for label in page.evaluate(LABELS))
    go(page, "#/topic/1")
    until(page, "Explorer.map.labels.lit !== null")
    page.evaluate("Explorer.map.paint()")
    assert {label["topic"]: label["shown"] for label in page.evaluate(LABELS)}[1]
    assert not any(label["shown"] for label in page.evaluate(LABELS) if label["topic"] != 1)
    go(page, "#/")
    until(page, "Explorer.map.labels.lit === null")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_are_readable_on_every_tint(chromium, exported, scheme):
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(exported)
    page.wait_for_selector("body[data-ready]")
    rgb = "c => c.match(/[0-9.]+/g).map(Number)"
    numbers = [rgb_of(page.evaluate(f"({rgb})(Colours.tint({i}, 1))")) for i in range(3)]
    ink, card = (from_hex(page.evaluate(f"Colours.ink('{name}')")) for name in ("--ink", "--card"))
    context.close()
    # The page's background is that of the palette, whose colours have the contrast on it.
    assert from_hex(PAGES[scheme].back).tolist() == card.tolist()
    alphas = {alpha for _, alpha in numbers}
    assert len(alphas) == 1
    for colour in palette(scheme, 60):
        (alpha,) = alphas
        behind = alpha * from_hex(colour) + (1 - alpha) * card
        assert contrast(behind, ink) >= 4.5


def rgb_of(numbers):
    return numbers[:3], numbers[3]


def test_a_point_opens_its_document(visit, url, answers, size):
    page = visit(url, *size)
    page.locator("#overlay").scroll_into_view_if_needed()
    # One that no button covers, and of those that hide each other the one on top.
    target = page.evaluate(
        """() => {
          const map = Explorer.map, box = map.overlay.getBoundingClientRect();
          for (let i = 0; i < map.topics.length; i++) {
            const [x, y] = map.pixel(i);
            const there = document.elementFromPoint(box.left + x, box.top + y);
            if (there === map.overlay) return map.near(x, y);
          }
        }"""
    )
    page.mouse.click(*pixel_of(page, target))
    until(page, "location.hash.startsWith('#/document/')")
    heading(page, IDS[target])
    text = page.locator("#panel .text").text_content()
    assert text == answers.collection.texts[target]
    assert page.locator("#panel mark").count() > 3
    near = page.locator("#panel ol a:not([aria-label])").all_text_contents()
    assert near[:3] == [IDS[i] for i, _ in answers.document(target)["near"][:3]]


def test_keyboard_alone_opens_a_document(visit, url):
    page = visit(url)
    page.focus("#overlay")
    page.keyboard.press("ArrowRight")
    said = page.locator("#said").text_content()
    assert said.split(". ")[0] in IDS
    page.keyboard.press("+")
    page.keyboard.press("Enter")
    until(page, "location.hash.startsWith('#/document/')")
    heading(page, said.split(". ")[0])


def test_lasso_selects(visit, url):
    page = visit(url)
    page.click("#lasso")
    box = page.locator("#overlay").bounding_box()
    left, top = box["x"] + 3, box["y"] + 60
    right, bottom = box["x"] + box["width"] - 3, box["y"] + box["height"] - 3
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom)):
        page.mouse.move(x, y, steps=4)
    page.mouse.up()
    n_chosen = int(page.locator("#panel h2").text_content().split()[0])
    assert 20 < n_chosen <= len(IDS)
    assert page.get_attribute("#lasso", "aria-pressed") == "false"


def test_zoom_keeps_the_place_under_the_pointer(visit, exported):
    page = visit(exported)
    x, y = pixel_of(page, 5)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    until(page, "Explorer.map.view.scale > 2")
    assert pixel_of(page, 5) == pytest.approx((x, y), abs=1.5)
    page.click("#whole")
    assert page.evaluate("Explorer.map.view.scale") == 1


@pytest.mark.parametrize("sides", ["#/compare/0/3", "#/compare/=ship%20and%20wave/=the%20plane"])
def test_parts_sum_to_the_score_shown(visit, url, answers, sides):
    page = visit(url + sides)
    score = float(page.get_attribute("#total", "data-score"))
    parts = page.eval_on_selector_all(
        "#parts [data-share]", "all => all.map(e => +e.dataset.share)"
    )
    assert sum(parts) == pytest.approx(score, abs=1e-9)
    shown = page.locator("#total").text_content().split()[-1].replace("−", "-")
    assert float(shown) == pytest.approx(score, abs=6e-4)
    asked = (0, 3) if "0/3" in sides else ("ship and wave", "the plane")
    expected = answers.compare(*asked)
    # Exported numbers have 16 bits.
    assert score == pytest.approx(expected["score"], abs=2e-3)
    assert page.locator("svg.threads path").count() > 0
    row = page.locator("tr.pair").first.locator("td").all_text_contents()
    assert float(row[2].replace("−", "-")) == pytest.approx(expected["pairs"][0]["share"], abs=3e-3)


def test_compare_form_takes_ids_and_texts(visit, url):
    page = visit(url + "#/compare")
    page.fill("#first", "doc-2")
    page.fill("#second", "the oven & <b>soup</b>")
    page.click("form.asked button")
    page.wait_for_selector("#total")
    assert "#/compare/2/=" in page.url
    assert "<b>soup</b>" in page.locator(".side").nth(1).text_content()


@pytest.mark.parametrize("key", list(HOSTILE))
def test_hostile_documents_are_text(visit, url, key):
    page = visit(url + f"#/document/{IDS.index(key)}")
    assert page.title().startswith("Ships")
    assert page.locator("#panel img, #panel script, #panel b").count() == 0
    search(page, '<img src=x onerror="document.title=1">')
    assert page.locator("#panel img").count() == 0
    assert page.title().startswith("Ships")


@pytest.mark.parametrize(
    "view", ["#/document/999", "#/document/x", "#/compare/-1/0", "#/topic/9", "#/search/%", "#/<b>"]
)
def test_hostile_addresses(visit, url, view):
    page = visit(url + view)
    assert page.locator("#panel h2").count() == 1
    assert page.locator("#panel b").count() == 0


def test_topics_view_links_topics_and_documents(visit, url):
    page = visit(url + "#/topics")
    cards = page.locator(".card")
    assert cards.count() == 3
    assert re.search(r"\d %|\d.%", cards.first.text_content())
    cards.first.locator("a[href^='#/document/']").first.click()
    page.wait_for_selector("#panel .text")


def test_a_file_without_words_searches_by_overlap_and_says_so(visit, small):
    page = visit(small)
    assert "found by the words they share" in page.locator("#notes").text_content()
    search(page, "bread butter")
    top = page.locator("#panel ol").last.locator("li a").first
    top.click()
    page.wait_for_selector("#panel .text")
    assert re.search(r"bread|butter", page.locator("#panel .text").text_content())
    assert page.locator("#panel ol li").count() == 12
    go(page, "#/compare/0/1")
    until(page, "document.querySelector('#panel').textContent.includes('cannot be compared')")


def test_dark_and_light_differ(chromium, exported):
    seen = set()
    for scheme in ("light", "dark"):
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(exported)
        page.wait_for_selector("body[data-ready]")
        seen.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        context.close()
    assert len(seen) == 2


def test_without_webgl_a_plain_canvas_draws(chromium, exported):
    context = chromium.new_context()
    page = context.new_page()
    page.add_init_script(
        "const old = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return kind === 'webgl' ? null : old.call(this, kind, ...rest); };"
    )
    page.goto(exported)
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("Explorer.map.points.gl") is None
    n_drawn = page.evaluate(
        """() => {
          const { width, height } = Explorer.map.points.canvas;
          const data = Explorer.map.points.pen.getImageData(0, 0, width, height).data;
          return data.filter((value, i) => i % 4 === 3 && value > 100).length;
        }"""
    )
    assert n_drawn > 100
    context.close()
