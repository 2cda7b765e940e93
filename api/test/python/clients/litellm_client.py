import litellm
from checks import *

litellm.telemetry = False
litellm.suppress_debug_info = True
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": CITY_SCHEMA}}


def ask(kind, model, messages, key=KEY, **options):
    where = {"api_base": BASE_URL if kind == "openai" else ORIGIN, "api_key": key, "num_retries": 0}
    return litellm.completion(model=f"{kind}/{model}", messages=messages, max_tokens=500, **where, **options)


for kind in ("openai", "anthropic"):

    def plain(model, kind=kind):
        answer = ask(kind, model, [{"role": "user", "content": HELLO}])
        expect_hello(answer.choices[0].message.content)
        assert answer.usage.completion_tokens > 0

    def streamed(model, kind=kind):
        chunks = ask(kind, model, [{"role": "user", "content": HELLO}], stream=True)
        expect_hello("".join(chunk.choices[0].delta.content or "" for chunk in chunks))

    def tools(model, kind=kind):
        history = [{"role": "user", "content": QUESTION}]
        message = ask(kind, model, history, tools=[TOOL]).choices[0].message
        assert len(message.tool_calls) == 2
        history.append(message)
        for call in message.tool_calls:
            text = get_weather(**json.loads(call.function.arguments))
            history.append({"role": "tool", "tool_call_id": call.id, "content": text})
        expect_weather(ask(kind, model, history, tools=[TOOL]).choices[0].message.content)

    for function in (plain, streamed, tools):
        function.__name__ = f"{kind}_{function.__name__}"
        check()(function)


@check()
def responses(model):
    answer = litellm.responses(model=f"openai/{model}", input=HELLO, api_base=BASE_URL, api_key=KEY)
    expect_hello(answer.output[-1].content[0].text)


def refuse(model, key):
    ask("openai", model, [{"role": "user", "content": HELLO}], key)


check_errors(
    {
        "unknown": litellm.AuthenticationError,
        # It has no class for 403 of this provider.
        "narrow": litellm.APIError,
        "busy": litellm.RateLimitError,
    },
    refuse,
)
run()
