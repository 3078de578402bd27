// The conversations of the specification, which an orchestrator plays with a worker to check its compliance.

/** One conversation, up to the line that the worker has to answer. */
export interface Scene {
  name: string;
  /** The worker's wire id. */
  wire: string;
  /** The previous lines, and as the last one the line for the worker. */
  lines: readonly string[];
  /** The instruction in words. */
  text: string;
  /**
   * The error code that the specification expects. Another code is noted, not a fault: only the
   * worker knows what a task takes.
   */
  wants?: string;
  /** The line is invalid on purpose, and left out of prompts: any other reaction is noted, not a fault. */
  isBroken?: true;
}

const SEARCH = 'call=web_search;query=latest AI news';

export const SCENES: readonly Scene[] = [
  {
    name: 'a request and its answer',
    wire: 'W1',
    lines: [`M1|O1>W1|R|T1|P1|N|-|0|S1|B500|${SEARCH}`],
    text: SEARCH,
  },
  {
    name: 'another session, task and priority, without a budget',
    wire: 'W7',
    lines: ['M1|O1>W7|R|T42|P0|N|-|0|Sabc12|-|call=summarize;text=three words only'],
    text: 'call=summarize;text=three words only',
  },
  {
    name: 'a part that another worker hands on',
    wire: 'W2',
    lines: [
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B1000|call=analyze_code;file=main.py',
      'M2|W1>O1|U|T1|P1|R|-|0|S1|B500|handoff=W2;subtask=generate_tests',
      'M3|W1>W2|X|T1|P1|R|-|1|S1|B500|call=generate_tests;reason=specialized',
    ],
    text: 'call=generate_tests;reason=specialized',
  },
  {
    name: 'a part at the greatest depth',
    wire: 'W4',
    lines: ['M7|W3>W4|X|T1|P1|R|-|3|S1|B300|call=reason;about=one thing'],
    text: 'call=reason;about=one thing',
  },
  {
    name: 'a request that is repeated after a timeout',
    wire: 'W1',
    lines: [
      `M1|O1>W1|R|T1|P1|N|-|0|S1|B200|${SEARCH}`,
      'M2|O1>W1|E|T1|P1|R|E21|0|S1|B200|desc=no answer in time',
      `M3|O1>W1|R|T1|P1|N|-|0|S1|B200|${SEARCH};retry=1;max=2`,
    ],
    text: SEARCH,
  },
  {
    name: 'a request that another worker was too busy for',
    wire: 'W2',
    lines: [
      `M1|O1>W1|R|T1|P1|N|-|0|S1|B200|${SEARCH}`,
      'M2|W1>O1|E|T1|P1|F|E31|0|S1|B200|BUSY;queue=5',
      `M3|O1>W2|R|T1|P1|N|-|0|S1|B200|${SEARCH};fallback_from=W1;reason=E31`,
    ],
    text: SEARCH,
  },
  {
    name: 'a request for what no worker can do',
    wire: 'W1',
    lines: ['M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=no_such_capability'],
    text: 'call=no_such_capability',
    wants: 'E19',
  },
  {
    name: 'a line with a segment too few',
    wire: 'W1',
    lines: [`M1|O1>W1|R|T1|P1|N|-|0|S1|${SEARCH}`],
    text: SEARCH,
    wants: 'E10',
    isBroken: true,
  },
  {
    name: 'a request that no budget is left for',
    wire: 'W1',
    lines: [`M1|O1>W1|R|T1|P1|N|-|0|S1|B0|${SEARCH}`],
    text: SEARCH,
    wants: 'E17',
  },
];
