"""Reads answers with each client over HTTP: the name of the model chooses the answer.

Reads one answer per line of standard input. Prints one line per answer: its text, or the error, by client.
"""

import asyncio
import json
import os
import sys
import traceback
import warnings

import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from pydantic_ai import direct
from pydantic_ai.messages import ModelRequest, TextPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

ORIGIN = os.environ["ORIGIN"]
BASE_URL = f"{ORIGIN}/v1"
HELLO = [{"role": "user", "content": "Hello"}]

openai_client = openai.OpenAI(base_url=BASE_URL, api_key="key", max_retries=0)
anthropic_client = anthropic.Anthropic(base_url=ORIGIN, api_key="key", max_retries=0)
openai_provider = OpenAIProvider(base_url=BASE_URL, api_key="key")
anthropic_provider = AnthropicProvider(base_url=ORIGIN, api_key="key")


def read_chat(model, is_stream):
    if not is_stream:
        answer = openai_client.chat.completions.create(model=model, messages=HELLO)
        return answer.choices[0].message.content or ""
    with openai_client.chat.completions.stream(model=model, messages=HELLO) as stream:
        for _ in stream:
            pass
        return stream.current_completion_snapshot.choices[0].message.content or ""


def read_responses(model, is_stream):
    if not is_stream:
        return openai_client.responses.create(model=model, input="Hello").output_text
    with openai_client.responses.stream(model=model, input="Hello") as stream:
        events = list(stream)
    return events[-1].response.output_text


def get_text(message):
    return "".join(block.text for block in message.content if block.type == "text")


def read_message(model, is_stream, messages=anthropic_client.messages):
    options = {"model": model, "messages": HELLO, "max_tokens": 100}
    if not is_stream:
        return get_text(messages.create(**options))
    with messages.stream(**options) as stream:
        return get_text(stream.get_final_message())


SDKS = {"openai-chat": read_chat, "openai-responses": read_responses, "anthropic-messages": read_message}

chat = {"model": "any", "base_url": BASE_URL, "api_key": "key", "max_retries": 0}
LANGCHAIN = {
    "openai-chat": ChatOpenAI(**chat, use_responses_api=False),
    "openai-responses": ChatOpenAI(**chat, use_responses_api=True),
    "anthropic-messages": ChatAnthropic(**{**chat, "base_url": ORIGIN}, max_tokens=100),
}


# Without a tool, a stream of Anthropic's API is one string, and other blocks are warnings.
TOOL = {"name": "weather", "description": "", "parameters": {"type": "object", "properties": {}}}


def read_langchain(dialect, model, is_stream):
    llm = LANGCHAIN[dialect].bind_tools([TOOL])
    if not is_stream:
        return llm.invoke("Hello", model=model).text
    chunks = list(llm.stream("Hello", model=model))
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    return whole.text


def create_pydantic(dialect, model):
    if dialect == "anthropic-messages":
        return AnthropicModel(model, provider=anthropic_provider)
    return (OpenAIChatModel if dialect == "openai-chat" else OpenAIResponsesModel)(model, provider=openai_provider)


async def read_pydantic(dialect, model, is_stream):
    chosen = create_pydantic(dialect, model)
    request = [ModelRequest.user_text_prompt("Hello")]
    if not is_stream:
        answer = await direct.model_request(chosen, request)
    else:
        async with direct.model_request_stream(chosen, request) as stream:
            async for _ in stream:
                pass
            answer = stream.get()
    return "".join(part.content for part in answer.parts if isinstance(part, TextPart))


def get_readers(dialect):
    readers = {
        "sdk": SDKS[dialect],
        "langchain": lambda *options: read_langchain(dialect, *options),
        "pydantic-ai": lambda *options: read_pydantic(dialect, *options),
    }
    if dialect == "anthropic-messages":
        readers["sdk beta"] = lambda *options: read_message(*options, messages=anthropic_client.beta.messages)
    return readers


async def read_answer(reader, model, is_stream):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = reader(model, is_stream)
            text = await result if asyncio.iscoroutine(result) else result
        except Exception:
            return {"error": traceback.format_exc(limit=-3)}
    return {"text": text, "warnings": [str(each.message) for each in caught]}


async def main():
    for line in sys.stdin:
        answer = json.loads(line)
        readers = get_readers(answer["dialect"])
        read = {name: await read_answer(reader, answer["id"], answer["isStream"]) for name, reader in readers.items()}
        print(json.dumps({"id": answer["id"], "read": read}), flush=True)


asyncio.run(main())
