"""Reading sources from servers that answer like the real ones, under their real names over TLS: the
reading status is what was really obtained."""
import glob
import gzip
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import assay, check, equal, test
from nginx import Nginx

WORDS = "The kernel reads each byte once and the measured bandwidth is 3.35 TB/s on one device in all runs. "
ABSTRACT = ("We measure the step of a training loop with and without waiting for the device and find a factor of 2.5 "
            "between the two clocks.")
LOCATIONS = """
    location = /busy { return 503; }
    location = /gone { return 410; }
    location = /secret { return 403; }
    location = /10.1000/open { return 302 https://papers.example.org/open.html; }
    location = /10.1000/closed { return 302 https://papers.example.org/closed.html; }
    location = /10.1000/away { return 302 https://papers.example.org/away.html; }
    location = /10.1000/data { return 302 https://papers.example.org/data.html; }
    location = /10.1000/busy { return 503; }
    location /html/ { default_type text/html; }
    location /abs/ { default_type text/html; }
    location /pdf/ { default_type application/pdf; }
    location /rfc/ { default_type text/plain; }
    location = /html/2101.00001 { return 404; }
    location = /html/2101.00002 { return 404; }
    location = /pdf/2101.00002 { return 404; }
    location = /html/2101.00003 { return 404; }
    location = /pdf/2101.00003 { return 503; }
    location = /abs/2101.00003 { return 503; }
"""
HOSTS = ("arxiv.org", "doi.org", "papers.example.org", "www.rfc-editor.org")


def page(body, head=""):
    return f"<!DOCTYPE html><html><head><title>A page</title>{head}</head><body>{body}</body></html>".encode()


def paragraphs(count):
    return "".join(f"<p>{WORDS}</p>" for _ in range(count))


def pdf(lines):
    """A PDF of one page, after the smallest example of ISO 32000-1, annex H.3."""
    text = "BT /F1 9 Tf 40 800 Td 11 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
               "/Resources << /Font << /F1 5 0 R >> >> >>",
               f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
               "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} "
            f"/Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n").encode("latin-1")


def served(folder):
    """A server of all those hosts with the documents of this test."""
    nginx = Nginx(f"{folder}/n", more_names=HOSTS, locations=LOCATIONS)
    for name in ("html", "abs", "pdf", "rfc"):
        os.makedirs(f"{nginx.www}/{name}", exist_ok=True)
    citation = '<meta name="citation_title" content="A paper">'
    abstract = f'<meta name="citation_abstract" content="{ABSTRACT}">'
    paper = "".join(f"<h2>{part}</h2>{paragraphs(20)}" for part in ("Introduction", "Methods", "Results", "References"))
    nginx.put("whole.html", page(f"<nav>menu of the site</nav><main><h1>Bytes</h1>{paragraphs(4)}<pre>loop of 5\n  9.5 ms</pre>"
                                 "<p>It&nbsp;is 2.5&times;10 here.</p></main><script>var hidden = 1</script>"))
    nginx.put("script.html", page("<div id=app></div><noscript>Enable JavaScript</noscript>"))
    nginx.put("open.html", page(f"<h1>A paper</h1><p>{ABSTRACT}</p>",
                                citation + abstract + '<meta name="citation_pdf_url" content="/pdf/open">'))
    nginx.put("closed.html", page(f"<h1>A paper</h1><p>{ABSTRACT}</p><p>Buy it.</p>", citation + abstract))
    nginx.put("data.html", page(paragraphs(4)))
    nginx.put("walled.html", page(paragraphs(4), '<script type="application/ld+json">{"@type": "NewsArticle", '
                                                 '"isAccessibleForFree" : "False"}</script>'))
    nginx.put("away.html", page("<h1>A paper</h1><p>Buy it.</p>", citation))
    nginx.put("picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0\0")
    nginx.put("html/2205.14135", page(paper, citation))
    nginx.put("pdf/2101.00001", pdf([WORDS] * 12))
    nginx.put("pdf/open", pdf([WORDS.replace("3.35", "4.8")] * 12))
    nginx.put("abs/2101.00002", page(f'<h1>A paper</h1><blockquote class="abstract mathjax">Abstract: {ABSTRACT}</blockquote>',
                                     citation))
    nginx.put("rfc/rfc9110.txt", (WORDS * 20).encode())
    nginx.put("scan", pdf([]))
    nginx.put("broken", b"%PDF-1.7\n" + os.urandom(4000))
    return nginx


def read(nginx, folder, name, *options):
    status, out, err = assay("source", "read", name, "--out", folder, "--json", *nginx.options, *options, timeout=200)
    return status, json.loads(out)["source"] if out else None, err


def stored(folder, source):
    with open(f"{folder}/ledger/texts/{source['text_sha256']}", encoding="utf-8") as file:
        return file.read()


@test
def the_status_is_what_was_really_obtained(folder):
    cases = [  # name, status, form, part of the stored text or of the reason
        ("https://docs.example.org/whole.html", "full text", "html", "bandwidth is 3.35 TB/s"),
        ("https://docs.example.org/script.html", "not accessible", "", "notice"),
        ("https://docs.example.org/picture.txt", "not accessible", "", "no text"),
        ("https://docs.example.org/scan", "not accessible", "", "0 words"),
        ("https://docs.example.org/broken", "not accessible", "", "PDF"),
        ("https://docs.example.org/gone", "not accessible", "", "410"),
        ("https://docs.example.org/secret", "not accessible", "", "403"),
        ("10.1000/open", "full text", "pdf", "bandwidth is 4.8 TB/s"),
        ("10.1000/closed", "abstract only", "html", "a factor of 2.5"),
        ("https://docs.example.org/walled.html", "abstract only", "html", "bandwidth is 3.35 TB/s"),
        ("10.1000/data", "abstract only", "html", "bandwidth is 3.35 TB/s"),
        ("10.1000/away", "not accessible", "", "without an abstract"),
        ("arXiv:2205.14135", "full text", "html", "Introduction"),
        ("arXiv:2101.00001", "full text", "pdf", "bandwidth is 3.35 TB/s"),
        ("arXiv:2101.00002", "abstract only", "html", "a factor of 2.5"),
        ("RFC 9110", "full text", "text", "bandwidth is 3.35 TB/s"),
    ]
    with served(folder) as nginx:
        for name, reading, form, part in cases:
            status, source, err = read(nginx, folder, name)
            equal((status, source and source["reading"], source and source["text_form"]), (0, reading, form),
                  f"{name}: {source and source['reading_reason']} {err}")
            check(part in (stored(folder, source) if form else source["reading_reason"]), name, source["reading_reason"])
            check(os.path.exists(f"{folder}/ledger/archive/{source['archive']}"), name, "has no archive")
            check(gzip.open(f"{folder}/ledger/archive/{source['archive']}").read(9) == b"WARC/1.1\r", name)


@test
def an_outage_says_nothing_about_a_source(folder):
    with served(folder) as nginx:
        environment = dict(os.environ, ASSAY_FETCH_LIMITS="tries=1,backoff_ms=10,pause_ms=1")
        for name in ("https://docs.example.org/busy", "10.1000/busy", "arXiv:2101.00003"):
            status, out, err = assay("source", "read", name, "--out", folder, "--json", *nginx.options, env=environment)
            check(status == 3 and out == "" and "lead" in err, name, status, err)
        status, _, err = assay("source", "read", "https://docs.example.org/never.html", "--out", folder, "--offline")
        check(status == 3 and "offline" in err.lower(), status, err)
    for path in glob.glob(f"{folder}/ledger/sources/*.json"):
        with open(path, encoding="utf-8") as file:
            equal(json.load(file)["reading"], "lead", path)


@test
def a_book_has_no_address(folder):
    status, _, err = assay("source", "read", "isbn:9780262035613", "--out", folder)
    check(status == 3 and "--file" in err, status, err)


@test
def markup_menus_and_scripts_are_no_text(folder):
    with served(folder) as nginx:
        _, source, _ = read(nginx, folder, "https://docs.example.org/whole.html")
    text = stored(folder, source)
    for part in ("menu of the site", "hidden", "<p>", "&times;"):
        check(part not in text, part, text)
    check("It\u00a0is 2.5\u00d710 here." in text or "It is 2.5\u00d710 here." in text, text)
    check("loop of 5\n  9.5 ms" in text, text)


@test
def a_text_is_never_replaced_by_less(folder):
    with served(folder) as nginx:
        _, first, _ = read(nginx, folder, "https://docs.example.org/whole.html")
        nginx.put("whole.html", page("<p>Moved.</p>"))
        status, second, err = read(nginx, folder, "https://docs.example.org/whole.html", "--refresh")
        equal(status, 0, err)
        equal((second["reading"], second["text_sha256"]), (first["reading"], first["text_sha256"]), "kept")
        check("kept the earlier text" in second["history"][-1]["what"], second["history"][-1])
        nginx.put("whole.html", page(paragraphs(6)))
        _, third, _ = read(nginx, folder, "https://docs.example.org/whole.html", "--refresh")
    check(third["text_sha256"] != first["text_sha256"], "a newer text is taken")
    check(stored(folder, first), "the earlier text stays for what quotes it")


@test
def a_pdf_without_its_reader_is_no_verdict(folder):
    with open(f"{folder}/a.pdf", "wb") as file:
        file.write(pdf([WORDS] * 12))
    empty = f"{folder}/bin"
    os.mkdir(empty)
    status, _, err = assay("source", "read", "10.1000/open", "--file", f"{folder}/a.pdf", "--out", folder,
                           env={"PATH": empty})
    check(status == 3 and "poppler" in err, status, err)
    status, out, err = assay("source", "read", "10.1000/open", "--file", f"{folder}/a.pdf", "--out", folder, "--json")
    equal(status, 0, err)
    equal(json.loads(out)["source"]["text_form"], "pdf", "form")


@test
def hostile_files_are_refused_with_a_reason(folder):
    files = {"empty.txt": b"", "zeros.txt": b"\0" * 4096, "bad.pdf": b"%PDF-1.4\n%%EOF", "bad.ipynb": b"{\"cells\": [",
             "deep.ipynb": b"[" * 100000, "spaces.txt": b" \n\t" * 5000}
    for name, content in files.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(content)
        status, _, err = assay("source", "read", "10.1000/x", "--file", f"{folder}/{name}", "--out", folder)
        check(status == 5 and name in err, name, status, err)
    notebook = {"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["A loop of 5 steps ", "takes 9.5 ms."]},
                                         {"cell_type": "code", "source": "run()", "outputs": [{"text": ["done in 1.2 s\n"]}]}]}
    with open(f"{folder}/good.ipynb", "w", encoding="utf-8") as file:
        json.dump(notebook, file)
    status, out, err = assay("source", "read", "10.1000/x", "--file", f"{folder}/good.ipynb", "--out", folder, "--json")
    equal(status, 0, err)
    text = stored(folder, json.loads(out)["source"])
    check("A loop of 5 steps takes 9.5 ms." in text and "done in 1.2 s" in text, text)


if __name__ == "__main__":
    harness.main(harness.TESTS)
