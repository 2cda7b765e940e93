import anthropic
from checks import *

client = anthropic.Anthropic(base_url=ORIGIN, api_key=KEY, max_retries=0)
TOOL = {"name": "get_weather", "input_schema": CITY_SCHEMA}


def ask(text):
    return [{"role": "user", "content": text}]


@check()
def messages(model):
    answer = client.messages.create(model=model, max_tokens=500, messages=ask(HELLO))
    expect_hello(answer.content[0].text)
    anthropic.types.Message.model_validate_json(answer.model_dump_json(exclude_unset=True), strict=True)


@check()
def streamed(model):
    with client.messages.stream(model=model, max_tokens=500, messages=ask(HELLO)) as stream:
        expect_hello("".join(stream.text_stream))
        assert stream.get_final_message().usage.output_tokens > 0


@check()
def tools(model):
    history = ask(QUESTION)
    first = client.messages.create(model=model, max_tokens=500, messages=history, tools=[TOOL])
    calls = [block for block in first.content if block.type == "tool_use"]
    assert len(calls) == 2
    history.append({"role": "assistant", "content": first.content})
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": get_weather(**call.input)} for call in calls]
    history.append({"role": "user", "content": results})
    last = client.messages.create(model=model, max_tokens=500, messages=history, tools=[TOOL])
    expect_weather(last.content[0].text)


@check()
def thinking(model):
    answer = client.messages.create(
        model=model, max_tokens=500, messages=ask(HELLO), thinking={"type": "adaptive"}
    )
    expect_hello(answer.content[-1].text)


@check()
def structured(model):
    answer = client.messages.parse(model=model, max_tokens=500, messages=ask(HELLO), output_format=Place)
    expect_place(answer.parsed_output)


@check()
def counted(model):
    assert client.messages.count_tokens(model=model, messages=ask(HELLO)).input_tokens > 0


def refuse(model, key):
    client.with_options(api_key=key).messages.create(model=model, max_tokens=500, messages=ask(HELLO))


check_errors(
    {
        "unknown": anthropic.AuthenticationError,
        "revoked": anthropic.AuthenticationError,
        "broke": anthropic.APIStatusError,
        "narrow": anthropic.PermissionDeniedError,
        "busy": anthropic.RateLimitError,
    },
    refuse,
)
run()
