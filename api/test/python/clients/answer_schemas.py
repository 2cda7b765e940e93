"""Validates JSON documents against the models of the official SDKs, strictly: no value is converted to another type.

Reads one answer per line of standard input. Prints one line per error, and the members that the models lack.
"""

import json
import sys
from typing import Union

from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter, ValidationError

# By dialect: the models of a whole answer, and of an event. The second pair is of the SDK's beta client.
MODELS = {
    "openai-chat": [(ChatCompletion, ChatCompletionChunk)],
    "openai-responses": [(Response, ResponseStreamEvent)],
    "anthropic-messages": [(Message, RawMessageStreamEvent), (BetaMessage, BetaRawMessageStreamEvent)],
}
ADAPTERS = {
    (dialect, is_stream): [TypeAdapter(pair[is_stream]) for pair in pairs]
    for dialect, pairs in MODELS.items()
    for is_stream in (False, True)
}


def find_extra(value, found):
    """Collects the members that no model declares: Union members allow any."""
    if isinstance(value, BaseModel):
        for name in value.model_extra or {}:
            found.add(f"{type(value).__name__}.{name}")
        for name in type(value).model_fields:
            find_extra(getattr(value, name), found)
    elif isinstance(value, list):
        for entry in value:
            find_extra(entry, found)


extra = set()
count = 0
for line in sys.stdin:
    answer = json.loads(line)
    for document in answer["documents"]:
        count += 1
        for adapter in ADAPTERS[answer["dialect"], answer["isStream"]]:
            try:
                find_extra(adapter.validate_json(json.dumps(document), strict=True), extra)
            except ValidationError as error:
                print(json.dumps({"name": answer["name"], "document": document, "error": str(error)}))
print(json.dumps({"count": count, "extra": sorted(extra)}))
