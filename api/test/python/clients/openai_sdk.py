import openai
from checks import *

client = openai.OpenAI(base_url=BASE_URL, api_key=KEY, max_retries=0)
CHAT_TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": CITY_SCHEMA, "strict": True}}
TOOL = {"type": "function", "name": "get_weather", "parameters": CITY_SCHEMA, "strict": True}


def ask(text):
    return [{"role": "user", "content": text}]


@check()
def chat(model):
    answer = client.chat.completions.create(model=model, messages=ask(HELLO))
    expect_hello(answer.choices[0].message.content)
    openai.types.chat.ChatCompletion.model_validate_json(answer.model_dump_json(exclude_unset=True), strict=True)


@check()
def chat_streamed(model):
    chunks = list(client.chat.completions.create(model=model, messages=ask(HELLO), stream=True))
    expect_hello("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices))


@check()
def chat_tools(model):
    messages = ask(QUESTION)
    first = client.chat.completions.create(model=model, messages=messages, tools=[CHAT_TOOL])
    message = first.choices[0].message
    assert len(message.tool_calls) == 2
    messages.append(message.model_dump(exclude_none=True))
    for call in message.tool_calls:
        text = get_weather(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
    last = client.chat.completions.create(model=model, messages=messages, tools=[CHAT_TOOL])
    expect_weather(last.choices[0].message.content)


@check()
def chat_structured(model):
    answer = client.chat.completions.parse(model=model, messages=ask(HELLO), response_format=Place)
    expect_place(answer.choices[0].message.parsed)


@check()
def responses(model):
    answer = client.responses.create(model=model, input=HELLO)
    expect_hello(answer.output_text)
    openai.types.responses.Response.model_validate_json(answer.model_dump_json(exclude_unset=True), strict=True)


@check()
def responses_streamed(model):
    with client.responses.stream(model=model, input=HELLO) as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
    expect_hello(text)


@check()
def responses_tools(model):
    items = ask(QUESTION)
    answer = client.responses.create(model=model, input=items, tools=[TOOL])
    items += answer.output
    for call in answer.output:
        if call.type == "function_call":
            text = get_weather(**json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": text})
    expect_weather(client.responses.create(model=model, input=items, tools=[TOOL]).output_text)


@check()
def responses_structured(model):
    expect_place(client.responses.parse(model=model, input=HELLO, text_format=Place).output_parsed)


def refuse(model, key):
    client.with_options(api_key=key).chat.completions.create(model=model, messages=ask(HELLO))


check_errors(
    {
        "unknown": openai.AuthenticationError,
        "revoked": openai.AuthenticationError,
        "broke": openai.APIStatusError,
        "narrow": openai.PermissionDeniedError,
        "busy": openai.RateLimitError,
    },
    refuse,
)
run()
