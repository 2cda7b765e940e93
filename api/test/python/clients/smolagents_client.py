import openai
from smolagents import OpenAIModel, ToolCallingAgent, tool
from checks import *

weather = tool(get_weather)


def create(model, key=KEY):
    return OpenAIModel(model_id=model, api_base=BASE_URL, api_key=key, client_kwargs={"max_retries": 0})


@check()
def plain(model):
    expect_hello(create(model).generate([{"role": "user", "content": [{"type": "text", "text": HELLO}]}]).content)


@check()
def tools(model):
    agent = ToolCallingAgent(tools=[weather], model=create(model), verbosity_level=0)
    expect_weather(agent.run(QUESTION))


@check()
def streamed_tools(model):
    agent = ToolCallingAgent(tools=[weather], model=create(model), verbosity_level=0, stream_outputs=True)
    expect_weather(agent.run(QUESTION))


def refuse(model, key):
    create(model, key).generate([{"role": "user", "content": [{"type": "text", "text": HELLO}]}])


check_errors({"unknown": openai.AuthenticationError}, refuse)
run()
