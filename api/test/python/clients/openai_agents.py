import openai
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from checks import *

set_tracing_disabled(True)
client = openai.AsyncOpenAI(base_url=BASE_URL, api_key=KEY, max_retries=0)
weather = function_tool(get_weather)
KINDS = {"responses": OpenAIResponsesModel, "chat": OpenAIChatCompletionsModel}


def create(kind, model, key=KEY, **options):
    uses = client if key == KEY else client.with_options(api_key=key)
    return Agent(name="Test", model=KINDS[kind](model=model, openai_client=uses), **options)


for kind in KINDS:

    async def plain(model, kind=kind):
        expect_hello((await Runner.run(create(kind, model), HELLO)).final_output)

    async def tools(model, kind=kind):
        expect_weather((await Runner.run(create(kind, model, tools=[weather]), QUESTION)).final_output)

    async def streamed_tools(model, kind=kind):
        result = Runner.run_streamed(create(kind, model, tools=[weather]), QUESTION)
        async for _ in result.stream_events():
            pass
        expect_weather(result.final_output)

    async def structured(model, kind=kind):
        expect_place((await Runner.run(create(kind, model, output_type=Place), HELLO)).final_output)

    for function in (plain, tools, streamed_tools, structured):
        function.__name__ = f"{kind}_{function.__name__}"
        check()(function)


def refuse(model, key):
    return Runner.run(create("responses", model, key), HELLO)


check_errors({"unknown": openai.AuthenticationError, "narrow": openai.PermissionDeniedError}, refuse)
run()
