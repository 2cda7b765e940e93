"""Reads request bodies as a provider written in Python does: one body a line, in base64; one line of JSON for each."""

import base64
import json
import sys


def member(value, name):
    return value.get(name) if isinstance(value, dict) else None


def read(body):
    try:
        value = json.loads(body)
    except ValueError as error:
        return {"error": str(error)}
    if not isinstance(value, dict):
        return {"error": "no object"}
    roles, texts = [], []
    messages = value.get("messages")
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict):
            continue
        roles.append(message.get("role"))
        content = message.get("content")
        if isinstance(content, str) and content != "":
            texts.append(content)
        elif isinstance(content, list):
            texts.extend(part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text")
    return {
        "model": value.get("model"),
        "stream": value.get("stream"),
        "max_tokens": value.get("max_tokens"),
        "max_completion_tokens": value.get("max_completion_tokens"),
        "max_output_tokens": value.get("max_output_tokens"),
        "n": value.get("n"),
        "best_of": value.get("best_of"),
        "dimensions": value.get("dimensions"),
        "include_usage": member(value.get("stream_options"), "include_usage"),
        "budget_tokens": member(value.get("thinking"), "budget_tokens"),
        "roles": roles,
        "texts": texts,
    }


for line in sys.stdin:
    print(json.dumps(read(base64.b64decode(line))))
