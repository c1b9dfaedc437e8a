"""assay mcp: the commands over the Model Context Protocol, as an assistant calls them."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ASSAY, EXAMPLE, assay, check, equal, main, passes, test  # noqa: E402

PAPER = "A study of queues\n\nThe queue held 64 launches before it blocked, on 3 machines of 4.\n"
SOURCE = "10.1145/3503222.3507738"


def talk(folder, *messages, options=("--offline", "--who", "an assistant"), raw=b""):
    """Sends messages (dicts, or bytes as they are), ends the input; returns the answers."""
    lines = b"".join((m if isinstance(m, bytes) else json.dumps(m).encode()) + b"\n" for m in messages)
    done = subprocess.run([ASSAY, "mcp", "--out", folder, *options], input=lines + raw, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    equal(done.returncode, 0, done.stderr.decode())
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(folder, tool, /, **arguments):
    """The result of one tool: (is error, text)."""
    answer, = talk(folder, request(1, "tools/call", name=tool, arguments=arguments))
    equal((answer["jsonrpc"], answer["id"]), ("2.0", 1))
    content, = answer["result"]["content"]
    equal(content["type"], "text")
    return answer["result"]["isError"], content["text"]


@test
def a_session_begins_as_the_protocol_says(folder):
    answers = talk(folder, request(0, "initialize", protocolVersion="2025-06-18", capabilities={},
                                   clientInfo={"name": "test", "version": "1"}),
                   {"jsonrpc": "2.0", "method": "notifications/initialized"}, request("a", "ping"),
                   request(2, "tools/list"))
    equal([a["id"] for a in answers], [0, "a", 2])
    equal(answers[0]["result"]["protocolVersion"], "2025-06-18")
    check("tools" in answers[0]["result"]["capabilities"], answers[0])
    equal(answers[0]["result"]["serverInfo"]["name"], "assay")
    equal(answers[1]["result"], {})
    names = [t["name"] for t in answers[2]["result"]["tools"]]
    check(len(names) == len(set(names)) and {"run", "source_read", "evidence_add", "decide"} <= set(names), names)


@test
def an_unknown_revision_gets_the_newest_one_known(folder):
    answer, = talk(folder, request(1, "initialize", protocolVersion="1999-01-01"))
    equal(answer["result"]["protocolVersion"], "2025-11-25")


@test
def every_tool_has_a_schema_and_is_a_command(folder):
    import jsonschema
    answer, = talk(folder, request(1, "tools/list"))
    for tool in answer["result"]["tools"]:
        schema = tool["inputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        check(set(schema["required"]) <= set(schema["properties"]), tool["name"])
        values = {"string": "x", "integer": 1, "boolean": True, "array": ["x"]}
        arguments = {n: p.get("enum", [values[p["type"]]])[0] for n, p in schema["properties"].items()}
        _, text = call(folder, tool["name"], **arguments)
        check("unrecognized" not in text and "no such command" not in text and "Usage" not in text, tool["name"], text)


@test
def a_pass_is_done_by_tools_alone(folder):
    wrong, text = call(folder, "run", brief=f"{EXAMPLE}/brief.txt", snapshot=f"{EXAMPLE}/chapter.txt", no_bench=True)
    check(not wrong, text)
    made, = passes(folder)
    wrong, text = call(folder, "show", what="claims")
    equal((wrong, text), (False, open(f"{made}/claims.json", encoding="utf-8").read().strip()))
    with open(f"{folder}/paper.txt", "w", encoding="utf-8") as file:
        file.write(PAPER)
    status, _, err = assay("source", "read", SOURCE, "--file", f"{folder}/paper.txt", "--out", folder)
    equal(status, 0, err)
    wrong, text = call(folder, "source_show", source=SOURCE, search="queue launches")
    check(not wrong and "64 launches" in text, text)
    good = dict(claim="C1", source=SOURCE, relation="QUALIFIES", quote="The queue held 64 launches")
    wrong, text = call(folder, "evidence_add", **good)
    check(not wrong, text)
    item = json.loads(text)["evidence"]
    equal(item["history"][0]["who"], "an assistant")
    wrong, text = call(folder, "decide", claim="C1", decision="revise", reason="The depth is 64.",
                       evidence=[item["id"]])
    check(not wrong, text)
    equal(json.loads(call(folder, "decisions")[1])["decisions"][0]["reason"], "The depth is 64.")


@test
def what_does_not_check_out_is_refused_with_the_reason(folder):
    call(folder, "run", brief=f"{EXAMPLE}/brief.txt", snapshot=f"{EXAMPLE}/chapter.txt", no_bench=True)
    with open(f"{folder}/paper.txt", "w", encoding="utf-8") as file:
        file.write(PAPER)
    equal(assay("source", "read", SOURCE, "--file", f"{folder}/paper.txt", "--out", folder)[0], 0)
    good = dict(claim="C1", source=SOURCE, relation="QUALIFIES", quote="The queue held 64 launches")
    for change, word in ((dict(quote="The queue held 65 launches"), "5 launches"), (dict(quote="queue held 6"), "6"),
                         (dict(note="It blocked after 7 ms."), "7"), (dict(claim="C999"), "C999"),
                         (dict(source="10.1/none"), "10.1/none")):
        wrong, text = call(folder, "evidence_add", **{**good, **change})
        check(wrong and word in text, change, text)
    equal(json.loads(call(folder, "evidence_list")[1])["evidence"], [])


@test
def wrong_arguments_name_the_argument(folder):
    for arguments, word in (({}, "claim"), ({"claim": "C1", "decision": "maybe", "reason": "x"}, "decision"),
                            ({"claim": 1, "decision": "accept", "reason": "x"}, "claim"),
                            ({"claim": "C1", "decision": "accept", "reason": "x", "folder": "/"}, "folder"),
                            ({"claim": "C1", "decision": "accept", "reason": "x", "evidence": "e-1"}, "evidence")):
        wrong, text = call(folder, "decide", **arguments)
        check(wrong and f'"{word}"' in text, arguments, text)
    # A value that looks like an option is a value.
    wrong, text = call(folder, "check", file="--help")
    check(wrong and "--help" in text and "Usage" not in text, text)
    wrong, text = call(folder, "source_show", source="x", search="--out=/")
    check(wrong, text)


@test
def broken_messages_cost_one_error_each(folder):
    ping = request(9, "ping")
    answers = talk(folder, b"{", b"\xff\xfe", b"[" * 5000, b"[]", b"7", b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
                   b'{"jsonrpc":"2.0","id":1}', b"", b"a" * (5 << 20), request(1, "tools/run"),
                   request(2, "tools/call"), request(3, "tools/call", name="rm", arguments={}),
                   request(4, "tools/call", name="show", arguments=[]), ping)
    codes = [a.get("error", {}).get("code") for a in answers]
    equal(codes, [-32700, -32700, -32700, -32600, -32600, -32600, -32600, -32601, -32602, -32602, -32602, None])
    equal(answers[-1], {"jsonrpc": "2.0", "id": 9, "result": {}})
    # An input that ends inside a message.
    equal(talk(folder, raw=b'{"jsonrpc":"2.0","id":1,"method":"pi')[0]["error"]["code"], -32700)


if __name__ == "__main__":
    main(__import__("harness").TESTS)
