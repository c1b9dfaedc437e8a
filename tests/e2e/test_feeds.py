"""assay fetch --feed: a book's or topic's entries, which chapters are known here, which changed since."""
import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import EXAMPLE, assay, check, equal, passes, shared, test
from nginx import Nginx

BRIEF = os.path.join(EXAMPLE, "brief.txt")
CHAPTER = "https://books.example.org/stopwatches/3-chapter/"
RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>Stopwatches</title>
<item><title>Known</title><link>{url}</link><guid>g-1</guid><pubDate>{date}</pubDate>
<description>&lt;p&gt;One &lt;b&gt;step&lt;/b&gt;.&lt;/p&gt;</description></item>
<item><title>Other</title><link>https://books.example.org/other/</link><guid>g-2</guid></item></channel></rss>"""
ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Stopwatches</title>
<entry><title>Known</title><id>g-1</id><link href="{url}"/><updated>{date}</updated><summary>One step.</summary></entry>
<entry><title>Other</title><id>g-2</id><link href="https://books.example.org/other/"/></entry></feed>"""
BEFORE, BEHIND = time.gmtime(time.time() - 86400), time.gmtime(time.time() + 86400)
RFC_822, RFC_3339 = "%a, %d %b %Y %H:%M:%S +0000", "%Y-%m-%dT%H:%M:%SZ"


def json_feed(url, date):
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "Stopwatches", "items": [
        {"id": "g-1", "url": url, "title": "Known", "date_modified": date, "summary": "One step."},
        {"id": "g-2", "url": "https://books.example.org/other/", "title": "Other"}]})


def feeds(moment):
    return {"feed.xml": RSS.format(url=CHAPTER, date=time.strftime(RFC_822, moment)),
            "atom.xml": ATOM.format(url=CHAPTER, date=time.strftime(RFC_3339, moment)),
            "feed.json": json_feed(CHAPTER, time.strftime(RFC_3339, moment))}


def researched(folder):
    status, _, err = assay("run", BRIEF, "--snapshot", os.path.join(EXAMPLE, "chapter.txt"), "--offline", "--no-bench",
                           "--out", folder)
    equal(status, 3, err)


def listed(feed, folder, *more):
    status, out, err = assay("fetch", "--feed", feed, "--json", "--out", folder, *more)
    equal(status, 0, err)
    return json.loads(out)


@test
def every_format_gives_date_link_id_and_summary(folder):
    for name, text in feeds(BEFORE).items():
        path = os.path.join(folder, name)
        open(path, "w", encoding="utf-8").write(text)
        first, second = listed(path, folder)["entries"]
        date = time.strftime(RFC_3339, BEFORE)
        equal((first["id"], first["link"], first["summary"], first["published"] or first["updated"]),
              ("g-1", CHAPTER, "One step.", date), name)
        equal([e["state"] for e in (first, second)], ["NEVER_RESEARCHED"] * 2, name)


@test
def known_chapters_and_changed_ones_are_told_apart(folder):
    researched(folder)
    for moment, state in ((BEFORE, "CURRENT"), (BEHIND, "STALE")):
        for name, text in feeds(moment).items():
            path = os.path.join(folder, name)
            open(path, "w", encoding="utf-8").write(text)
            first, second = listed(path, folder)["entries"]
            equal((first["state"], second["state"]), (state, "NEVER_RESEARCHED"), f"{name}: {first}")
            equal(first["pass"], json.load(open(passes(folder)[-1] + "/pass.json"))["id"], name)
    status, out, err = assay("fetch", "--feed", os.path.join(folder, "feed.xml"), "--out", folder)
    equal(status, 0, err)
    check(re.search(r"STALE \(the feed dates the chapter after.*\n  Known\n", out), out)
    check("2 entries" in out, out)


@test
def a_feed_is_read_from_its_server(folder):
    with Nginx(f"{folder}/n") as nginx:
        nginx.put("feed.txt", RSS.format(url=CHAPTER, date=time.strftime(RFC_822, BEFORE)).encode())
        found = listed("https://docs.example.org/feed.txt", folder, *nginx.options)
        status, _, err = assay("fetch", "--feed", "https://docs.example.org/none?token=s3cret", "--out", folder,
                               *nginx.options)
    equal((found["format"], len(found["entries"])), ("rss", 2), "feed")
    check(status != 0 and "404" in err and "s3cret" not in err, status, err)


@test
def a_saved_feed_of_plain_text_is_read(folder):
    found = listed(shared("feeds", "performance-feed.txt"), folder)
    equal((found["format"], len(found["entries"])), ("text", 7), "feed")
    check(all(e["published"] and e["title"] and e["summary"] for e in found["entries"]), found["entries"])
    equal(found["entries"][2]["published"], "2026-08-29T15:00:00Z", "the third entry's date, in UTC")


@test
def a_feed_cannot_write_to_the_terminal(folder):
    path = os.path.join(folder, "feed.json")
    hostile = "\x1b]0;title\x07\x1b[2Jred\u202e"
    json.dump({"version": "https://jsonfeed.org/version/1.1", "title": hostile, "items": [
        {"id": hostile, "url": "javascript:alert(1)", "title": hostile, "summary": hostile,
         "date_published": hostile}]}, open(path, "w"))
    status, out, err = assay("fetch", "--feed", path, "--out", folder)
    equal(status, 0, err)
    check(not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", out + err), repr(out + err))
    check("javascript:" not in out, out)


if __name__ == "__main__":
    harness.main(harness.TESTS)
