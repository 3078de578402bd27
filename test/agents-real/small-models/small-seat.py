# A seat of an eval for a model too small for council's prompts: has it go on with a few answered questions, and says which of the
# options it names, if it is one. Gets council's view as JSON on stdin; the argument is where the model's server answers.
import json
import re
import sys
import urllib.request

SHOTS = """Question: What can you eat? (shoe / bread)
Answer: bread

Question: Do dogs bark? (yes / no)
Answer: yes

Question: Which is bigger? (mountain / coin)
Answer: mountain

"""

view = json.load(sys.stdin)
options = view["options"]


def read(said):
    found = re.search(r"^(?:position|vote): *(.+)$", said["text"], re.M)
    return [found.group(1)] if found else []


lines = ["Question: " + view["brief"].strip() + " (" + " / ".join(options) + ")"]
if view["phase"] != "COLLECT":
    own = [position for said in view["own"] for position in read(said)]
    others = [position for said in view["contributions"] for position in read(said)]
    lines += ["First answer: " + own[-1]] if own else []
    lines += ["Answer of another person: " + others[-1]] if others else []
asked = {"prompt": SHOTS + "\n".join(lines) + "\nAnswer:", "max_tokens": 8, "temperature": 0.8, "stop": ["\n"]}
headers = {"Content-Type": "application/json"}
request = urllib.request.Request(sys.argv[1] + "/completions", json.dumps(asked).encode(), headers)
with urllib.request.urlopen(request) as response:
    text = json.load(response)["choices"][0]["text"].strip()

named = [option for option in options if re.search(r"(?<!\w)" + re.escape(option) + r"(?!\w)", text, re.I)]
print(("position: " + named[0] + "\n\n" if len(named) == 1 else "") + "It answered: " + (text or "nothing"))
