from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.openai import OpenAI, OpenAIResponses
from checks import *

weather = FunctionTool.from_defaults(get_weather)
# Its OpenAI classes know the context of OpenAI's own names only.
OPENAI = [model for model in MODELS if model.startswith("gpt-")]
CLAUDE = [model for model in MODELS if model.startswith("claude-")]


def create(kind, model):
    if kind == "messages":
        return Anthropic(model=model, base_url=ORIGIN, api_key=KEY, max_tokens=500, max_retries=0)
    chosen = OpenAI if kind == "chat" else OpenAIResponses
    return chosen(model=model, api_base=BASE_URL, api_key=KEY, max_retries=0)


for kind, models in (("chat", OPENAI), ("responses", OPENAI), ("messages", CLAUDE)):

    def plain(model, kind=kind):
        expect_hello(create(kind, model).chat([ChatMessage(role="user", content=HELLO)]).message.content)

    def streamed(model, kind=kind):
        chunks = create(kind, model).stream_chat([ChatMessage(role="user", content=HELLO)])
        expect_hello("".join(chunk.delta or "" for chunk in chunks))

    def tools(model, kind=kind):
        llm = create(kind, model)
        history = [ChatMessage(role="user", content=QUESTION)]
        answer = llm.chat_with_tools([weather], chat_history=history, allow_parallel_tool_calls=True)
        calls = llm.get_tool_calls_from_response(answer)
        assert len(calls) == 2, calls
        history.append(answer.message)
        for call in calls:
            options = {"tool_call_id": call.tool_id}
            history.append(ChatMessage(role="tool", content=get_weather(**call.tool_kwargs), additional_kwargs=options))
        expect_weather(llm.chat_with_tools([weather], chat_history=history).message.content)

    def structured(model, kind=kind):
        answer = create(kind, model).as_structured_llm(Place).chat([ChatMessage(role="user", content=HELLO)])
        expect_place(answer.raw)

    for function in (plain, streamed, tools, structured):
        function.__name__ = f"{kind}_{function.__name__}"
        check(*models)(function)

run()
