# llama.cpp's OpenAI-shaped server for a model that seldom ends by itself: its answers end where another heading would begin.
# The arguments are the server's.
import runpy

import llama_cpp

whole = llama_cpp.Llama.create_chat_completion


def ending(self, **settings):
    return whole(self, **{**settings, "stop": ["\n#"]})


llama_cpp.Llama.create_chat_completion = ending
runpy.run_module("llama_cpp.server", run_name="__main__")
