// Doctor: agent programs on this machine, and trial launches of trusted agents.
import type { Agent } from '../../agents/agent.ts';
import type { DetectedProgram } from '../../agents/runners/detect-programs.ts';
import { PROGRAMS } from '../../agents/runners/detect-programs.ts';
import { quoteProgram } from '../../agents/runners/failure-classes.ts';
import type { SpeakResult } from '../../agents/runners/turn-types.ts';
import { CouncilError } from '../../base/errors.ts';
import { quoteShellWord, toOneLine } from '../../base/text.ts';
import type { View } from '../../council/view/view.ts';
import { formatMs } from '../progress.ts';
import { createFindingReporter, runGuardedCheck } from './finding.ts';
import type { Finding } from './finding.ts';

/** Reports the agent programs on this machine; `needed`: no agent of the project can be launched yet. */
export function checkPrograms(detected: DetectedProgram[], needed: boolean): Finding[] {
  const { ok, warning } = createFindingReporter('programs');
  const findings = detected.map(({ program, path, version, problem }) =>
    problem === null
      ? ok(`${program.binary} ${version} (${path})`)
      : warning(
          `${program.binary} (${path}) cannot be seated: ${problem}`,
          version === null
            ? `${[path, '--version'].map(quoteShellWord).join(' ')}`
            : `${program.binary} pull MODEL`,
        ),
  );
  const missing = PROGRAMS.filter((program) => !detected.some((one) => one.program === program));
  const names = missing.map(({ binary }) => binary).join(', ');
  if (detected.length === 0)
    findings.push(
      needed
        ? warning(
            `None of ${names} is on PATH: without agents "council run" can check a document with the offline panel, and answer no question.`,
            `Install one, for example: ${PROGRAMS[0]!.install}`,
          )
        : ok(`None of ${names} is on PATH, and the agents here need none`),
    );
  else if (missing.length > 0) findings.push(ok(`Not on PATH: ${names}`));
  return findings;
}

const PROBE_MS = 60_000;
const QUESTION = 'This is a test of the connection. Answer with one word: ready';

interface ProbePlace {
  root: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  concurrency: number;
}

/** Probes the agents accepted by `mayAsk`, and reports that the others wait for trust. */
export async function probeTrusted(
  agents: Agent[],
  mayAsk: (agent: Agent) => boolean,
  where: ProbePlace,
): Promise<Finding[]> {
  const asked = agents.filter(mayAsk);
  const refused = agents.filter((agent) => !asked.includes(agent));
  return [
    ...(agents.length > 0 && asked.length === 0 ? [] : await probeAgents(asked, where)),
    ...refused.map(({ id }) =>
      createFindingReporter('probe').error(`${id} was not asked: it waits for trust.`, 'council trust'),
    ),
  ];
}

/** Launches agents with a one-word question, a few at a time, and reports who answered. */
export async function probeAgents(agents: Agent[], where: ProbePlace): Promise<Finding[]> {
  const { default: limit } = await import('p-limit');
  const findings = await limit(where.concurrency).map(agents, (agent) =>
    runGuardedCheck(
      'probe',
      async () => [toProbeFinding(agent, await launchProbe(agent, where))],
      `council agents check ${agent.id}`,
    ),
  );
  if (where.signal.aborted)
    throw new CouncilError('interrupted', 'Interrupted.', { hint: 'Nothing was changed.' });
  return agents.length === 0
    ? [createFindingReporter('probe').ok('No agent of this project is launched: nobody to ask')]
    : findings.flat();
}

async function launchProbe(
  agent: Agent,
  { root, env, signal }: { root: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<SpeakResult> {
  const { createRunner } = await import('../../agents/runners/runner.ts');
  return createRunner(agent).speak({
    agent: { ...agent, timeout: Math.min(agent.timeout, PROBE_MS) },
    input: agent.input === 'json' ? JSON.stringify(buildProbeView(agent)) : QUESTION,
    system: agent.runner === 'command' ? '' : agent.persona,
    turn: null,
    toolServers: [],
    cwd: root,
    env,
    extraEnv: {
      COUNCIL_ROOT: root,
      COUNCIL_NAME: 'doctor',
      COUNCIL_PARTICIPANT: agent.id,
      COUNCIL_TOUR: '1',
    },
    signal,
    maxOutput: agent.maxOutput,
    onSpawn: async () => undefined,
  });
}

/** Builds the COLLECT input of an agent with `input: json`. */
function buildProbeView(agent: Agent): View {
  return {
    name: 'doctor',
    topic: QUESTION,
    lang: 'en',
    participant: agent.id,
    label: null,
    status: 'WAITING',
    asked: true,
    key: 'doctor',
    phase: 'COLLECT',
    tour: 1,
    deadline: new Date(Date.now() + PROBE_MS).toISOString(),
    brief: QUESTION,
    prompt: QUESTION,
    stable: [],
    form: '',
    instructions: '',
    options: null,
    vote: null,
    facts: null,
    contributions: [],
    own: [],
    ballot: [],
    challenges: [],
    advocate: false,
    replaced: 0,
    notes: [],
  };
}

function toProbeFinding(agent: Agent, result: SpeakResult): Finding {
  const { ok, error } = createFindingReporter('probe');
  const time = formatMs(Math.round(result.durationMs));
  return result.ok
    ? ok(`${agent.id} answered in ${time}: ${toOneLine(result.output.toString('utf8').trim(), 60)}`)
    : error(
        `${agent.id} did not answer (${time}): ${result.known?.says ?? result.reason ?? 'no reason given'}${quoteProgram(result)}`,
        result.known?.mend ?? `council agents check ${agent.id}`,
      );
}
