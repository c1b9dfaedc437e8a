"""A chapter in any charset becomes UTF-8: header, byte order mark, <meta>, detection; what cannot be decoded is counted."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import EXAMPLE, assay, check, equal, load, passes, test
from nginx import Nginx

HOST = "https://docs.example.org"
GERMAN = "Der Lauf dauert 4,2 ms, also ungef\u00e4hr ein F\u00fcnftel der \u20ac-Kosten \u2013 \u201eschnell\u201c.\n" * 3
JAPANESE = "\u51e6\u7406\u306f 4.2 ms \u304b\u304b\u308a\u307e\u3059\u3002\u540c\u671f\u3057\u3066\u304b\u3089\u6e2c\u308a\u307e\u3059\u3002\n" * 3
RUSSIAN = "\u0428\u0430\u0433 \u043e\u0431\u0443\u0447\u0435\u043d\u0438\u044f \u0434\u043b\u0438\u0442\u0441\u044f 4.2 \u043c\u0441.\n" * 3


def page(text, charset):
    return f'<!doctype html><html><head><meta charset="{charset}"><title>x</title></head><body><p>{text}</p></body></html>'


# file below the server's folder: (URL path, bytes, charset named in the snapshot, text, parts that were replaced)
CASES = {
    "header": ("/latin/header.txt", GERMAN.encode("windows-1252"), "windows-1252", GERMAN, 0),
    "bom-16-le": ("/bom-16-le.txt", b"\xff\xfe" + GERMAN.encode("utf-16-le"), "utf-16le", GERMAN, 0),
    "bom-16-be": ("/bom-16-be.txt", b"\xfe\xff" + GERMAN.encode("utf-16-be"), "utf-16be", GERMAN, 0),
    "bom-before-header": ("/latin/bom-before-header.txt", b"\xef\xbb\xbf" + GERMAN.encode(), "utf-8", GERMAN, 0),
    "meta-sjis": ("/meta-sjis.html", page(JAPANESE, "Shift_JIS").encode("shift_jis"), "shift_jis", JAPANESE, 0),
    "meta-koi8": ("/meta-koi8.html", page(RUSSIAN, "koi8-r").encode("koi8-r"), "koi8-r", RUSSIAN, 0),
    "detected-latin": ("/detected-latin.txt", GERMAN.encode("windows-1252"), "windows-1252", GERMAN, 0),
    "detected-utf8": ("/detected-utf8.txt", JAPANESE.encode(), "utf-8", JAPANESE, 0),
    "wrong-header": ("/wrong/wrong-header.txt", GERMAN.encode(), "utf-8", GERMAN, 0),
    "header-16": ("/wide/header-16.txt", GERMAN.encode("utf-16-be"), "utf-16be", GERMAN, 0),
    # One cut character and one byte that begins none: two replacements.
    "broken": ("/broken.txt", (JAPANESE * 20).encode() + b"\xe5\x87 x \xff y\n", "utf-8", JAPANESE * 20, 2),
}


@test
def every_charset_becomes_utf8(folder):
    text = open(os.path.join(EXAMPLE, "brief.txt"), encoding="utf-8").read()
    with Nginx(f"{folder}/n") as nginx:
        for name, (url, content, charset, wanted, replaced) in CASES.items():
            nginx.put(os.path.basename(url), content)
            brief = os.path.join(folder, "brief.txt")
            with open(brief, "w", encoding="utf-8") as file:
                file.write(re.sub(r"(downloadable at )\S+", rf"\g<1>{HOST}{url}", text))
            out = f"{folder}/{name}"
            status, _, err = assay("run", brief, "--no-bench", "--allow-mismatch", "--out", out, *nginx.options)
            equal(status, 3, f"{name}: {err}")
            made = passes(out)[-1]
            snapshot = load(made, "snapshot.json")
            kept = open(os.path.join(made, "snapshot.txt"), "rb").read().decode("utf-8")
            equal((snapshot["scope"], snapshot["charset"].split(" ")[0].lower()), ("full", charset), f"{name}: {snapshot}")
            check(wanted in kept, name, repr(kept[:200]))
            equal((snapshot["replaced"], kept.count("\ufffd")), (replaced, replaced), name)
            claims = load(made, "claims.json")["claims"]
            check(any(q["unit"] == "ms" for c in claims for q in c["quantities"]) or "\u043c\u0441" in wanted, name, claims)


if __name__ == "__main__":
    harness.main(harness.TESTS)
