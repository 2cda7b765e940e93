import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from checks import *

weather = tool(get_weather)


def create(kind, model, key=KEY):
    if kind == "messages":
        return ChatAnthropic(model=model, base_url=ORIGIN, api_key=key, max_retries=0, max_tokens=500)
    uses = kind == "responses"
    return ChatOpenAI(model=model, base_url=BASE_URL, api_key=key, max_retries=0, use_responses_api=uses)


def call_tools(llm, collect):
    history = [HumanMessage(QUESTION)]
    first = collect(llm, history)
    assert len(first.tool_calls) == 2, first
    history += [first, *(weather.invoke(call) for call in first.tool_calls)]
    expect_weather(collect(llm, history).text)


def collect_stream(llm, history):
    chunks = list(llm.stream(history))
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    return whole


for kind in ("chat", "responses", "messages"):

    def plain(model, kind=kind):
        answer = create(kind, model).invoke(HELLO)
        expect_hello(answer.text)
        assert answer.usage_metadata["output_tokens"] > 0

    def streamed(model, kind=kind):
        expect_hello(collect_stream(create(kind, model), HELLO).text)

    def tools(model, kind=kind):
        call_tools(create(kind, model).bind_tools([weather]), lambda llm, history: llm.invoke(history))

    def streamed_tools(model, kind=kind):
        call_tools(create(kind, model).bind_tools([weather]), collect_stream)

    def structured(model, kind=kind):
        expect_place(create(kind, model).with_structured_output(Place).invoke(HELLO))

    for function in (plain, streamed, tools, streamed_tools, structured):
        function.__name__ = f"{kind}_{function.__name__}"
        check()(function)


def refuse(model, key):
    create("chat", model, key).invoke(HELLO)


check_errors({"unknown": openai.AuthenticationError, "busy": openai.RateLimitError}, refuse)
check_errors(
    {"revoked": anthropic.AuthenticationError, "narrow": anthropic.PermissionDeniedError},
    lambda model, key: create("messages", model, key).invoke(HELLO),
)
run()
