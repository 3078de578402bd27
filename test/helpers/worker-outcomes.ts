// What a task becomes whose worker behaves in each of these ways: its state, or the code that it fails with.
export const OUTCOMES: Record<string, string> = {
  ...as('D', 'clean prose bold bullet lower lowertype spaces nonl crlf twosame twodiff french'),
  ...as(
    'D',
    'japanese fullpipe long201 long5000 multiline dashtid flood uflood m10000 v4 echo ask dis bom ansi',
  ),
  ...as('D', 'refself dash ackthen k badthengood shortS shortU ten'),
  ...as('D', 'refown wrongdepth budgetup toO2 m1 dis6 thinkthen'),
  ...as(
    'E33',
    'e33 boldE bulletE quoteE numE inlineE lowerE spacesE tableE cellsE angleE escE escgtE noM noid Mn',
  ),
  ...as('E33', 'arrowE longE wrapE example quotein shortE shortwords'),
  ...as(
    'E10',
    'quote inline twolines pipe v3 tensegs onlyecho dressedecho forged silent empty ackonly cutE twoSE twoES',
  ),
  ...as('E10', 'SthenC quotedS shortquote shortearly shortboth r'),
  ...as(
    'E10',
    'fence fencelang fenceopen indented tick think thinkwords thinkopen thinkrow onlythought comment',
  ),
  ...as('E10', 'cited exampleS forexample another shortthink shortfence shorttick shortexample'),
  ...as('E12', 'arrow badforever prosearrow shortarrow'),
  ...as('E14', 'q'),
  ...as('E15', 'badstate'),
  ...as('E17', 'e17'),
  ...as('E18', 'ask3 boldC shortC'),
  ...as('E19', 'hand handunknown spacesX'),
  ...as('E40', 'wrongtid e40'),
  ...as('E21', 'e21'),
  ...as('E41', 'wrongfrom handself shortX handW77'),
  ...as('E42', 'wrongctx'),
  ...as('E43', 'refbad refmsg refpid refC refE shortref'),
  ...as('E77', 'unkerr'),
  ...as('E90', 'v1 v2'),
  ...as('E99', 'noerr'),
  // Words are a result where nothing was asked; a worker that hears lines is asked for one.
  ...as('D', 'json'),
};

function as(outcome: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, outcome]));
}

/** Each launch is another process, which remembers nothing; one that prints nothing has said nothing. */
export const IN_PROMPTS: Record<string, string> = { badthengood: 'E12', silent: 'E99' };
/** Those that go otherwise where the worker hears lines. `silent` and `ackonly` are waited for, like any work. */
export const IN_LINES: Record<string, string> = { json: 'E10', silent: 'E21', ackonly: 'E21' };
