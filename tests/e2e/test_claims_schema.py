#!/usr/bin/env python3
"""What assay check --json prints for every document of the corpus fits the schemas of claims and
findings, and every quote and number stands where it says."""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ROOT, Skip, TESTS, assay, check, equal, main, test

DOCUMENTS = sorted(p for kind in ("txt", "html") for p in glob.glob(f"{ROOT}/tests/corpus/*.{kind}"))
CHECKED = {}


def checked():
    """(path, bytes, object) of every document, from one run of the program."""
    if not CHECKED:
        status, out, err = assay("check", "--json", "-q", *DOCUMENTS)
        equal(status, 0, err)
        for path, found in zip(DOCUMENTS, json.loads(out)["documents"]):
            CHECKED[path] = found
    return [(path, open(path, "rb").read(), found) for path, found in CHECKED.items()]


def validator(kind):
    try:
        import jsonschema
    except ImportError:
        raise Skip("python3-jsonschema is missing")
    with open(f"{ROOT}/schemas/{kind}.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(schema, document):
    return [f"{list(e.path)}: {e.message[:200]}" for e in schema.iter_errors(document)][:5]


@test
def claims_of_the_corpus_fit_their_schema(folder):
    schema = validator("claims")
    for path, _, found in checked():
        document = {"schema": "assay.claims.v1", "text": found["text"], "claims": found["claims"]}
        check(not faults(schema, document), path, faults(schema, document))


@test
def the_schema_refuses_what_the_reader_refuses(folder):
    schema = validator("claims")
    _, _, found = checked()[0]
    good = {"schema": "assay.claims.v1", "text": found["text"], "claims": found["claims"][:1]}
    check(not faults(schema, good), faults(schema, good))
    for change in ({"kind": "rumour"}, {"start": -1}, {"id": "1"}, {"priority": "urgent"},
                   {"quantities": [{"unit": "ms"}]}, {"extra": 1}):
        bad = dict(good, claims=[dict(good["claims"][0], **change)])
        check(faults(schema, bad), "accepted", change)


@test
def quotes_and_numbers_stand_where_they_say(folder):
    for path, text, found in checked():
        for claim in found["claims"]:
            quote = text[claim["start"]:claim["end"]].decode("utf-8")
            equal(quote, claim["quote"], path)
            for number in claim["quantities"]:
                inside = claim["start"] <= number["start"] < number["end"] <= claim["end"]
                check(inside, path, claim["id"], number)


@test
def ids_and_labels_are_one_claims_alone(folder):
    for path, _, found in checked():
        for key in ("id", "label"):
            values = [claim[key] for claim in found["claims"]]
            equal(len(set(values)), len(values), f"{path}: {key}")


if __name__ == "__main__":
    main(TESTS)
