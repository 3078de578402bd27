// Plays one test conversation with a worker: answers as the orchestrator does, and records its faults. Pure.
import { codecs } from '../messages/codecs/codecs.ts';
import { followConversation } from '../messages/conversation.ts';
import { negotiate } from '../messages/codecs/line-agreement.ts';
import { listAnswerOptions } from '../messages/line-rules.ts';
import { LIMITS } from '../messages/policy.ts';
import type { Message } from '../messages/message.ts';
import type { WireError } from '../messages/codecs/codec-types.ts';
import { parseReport } from './read-report.ts';
import { readSaid } from './parse-worker-output.ts';
import type { Scene } from './worker-scenes.ts';

/** A fault, with V5's code and the row that shows it. */
export interface Fault {
  code: string;
  text: string;
  row?: string;
}

export type Play = ReturnType<typeof playScene>;

/** `isForgetful`: the worker is started anew for each line, and cannot know which ids it has used. */
export function playScene(scene: Scene, { isForgetful }: { isForgetful: boolean }) {
  const follow = followConversation();
  const said: Message[] = [];
  const faults: Fault[] = [];
  // What is allowed, but could be better.
  const advice: string[] = [];
  const used = new Set<string>();
  const prose: string[] = [];
  let now = '';
  let isOver = false;
  let hasSpoken = false;

  function say(line: string): string {
    const read = codecs.v5.decode(line);
    if (read.ok) take(read.value);
    return (now = line);
  }
  function take(message: Message): ReturnType<typeof follow> {
    used.add(message.id);
    const wrong = follow(message, 'v5');
    if (!wrong) said.push(message);
    return wrong;
  }
  for (const line of scene.lines) say(line);
  const asker = said.at(-1)?.from ?? 'O1';

  const note = (code: string, text: string, row?: string): void =>
    scene.isBroken
      ? adviseErrorCode()
      : void faults.push({ code, text, ...(row !== undefined && { row: row.slice(0, 200) }) });
  const adviseErrorCode = (): void => {
    const told = `${scene.name}: the specification wants E with ${scene.wants}`;
    if (!advice.includes(told)) advice.push(told);
  };
  /** The orchestrator counts its own lines, and skips numbers used by the worker. */
  function createNextId(): string {
    let number = scene.lines.length + 1;
    while (used.has(`M${number}`)) number++;
    return `M${number}`;
  }
  const reply = (message: Message, route: string, type: string, data: string, error = '-'): string => {
    const { task = '-', depth = 0, context = '-' } = message;
    const state = STATES[type] ?? 'R';
    return say(
      `${createNextId()}|${route}|${type}|${task}|P1|${state}|${error}|${depth}|${context}|-|${data}`,
    );
  };

  function answerMessage(message: Message, row: string): string | null | undefined {
    const { kind, from = '', to = '', data } = message;
    // Answers go to the worker that handed the part on.
    const back = `${asker}>${from}`;
    if (isOver) {
      if (kind !== 'update') note('E15', `a ${kind} after its answer`, row);
      return undefined;
    }
    switch (kind) {
      case 'response':
      case 'error':
        if (scene.wants !== undefined && message.error !== scene.wants) adviseErrorCode();
        isOver = true;
        return null;
      case 'join': {
        const agreed = negotiate(message.body ?? '', ['v5', 'v4']);
        return agreed
          ? reply(message, back, 'A', `registered;id=${from};${agreed.answer}`)
          : reply(message, back, 'E', 'desc=version', 'E90');
      }
      case 'clarify':
      case 'disambiguate':
        return reply(message, back, 'C', `answer=${listAnswerOptions(data)[0] ?? 'as you think best'}`);
      case 'handoff': {
        const target = to.startsWith('W') ? to : 'W9';
        if (target !== to)
          return reply({ ...message, depth: (message.depth ?? 1) - 1 }, back, 'C', 'answer=done;tests=3');
        return reply(message, `${target}>${from}`, 'S', 'tests=3;coverage=85%');
      }
      default:
        return undefined;
    }
  }

  return {
    faults,
    advice,
    /** Returns the line for the worker; the first line, until it has asked something. */
    next: () => now,
    listSaid: (): readonly Message[] => said,
    isOver: () => isOver,
    /** Returns the line that answers a row of output, null if the worker has finished, undefined for none. */
    hear(given: string): string | null | undefined {
      const row = given.replace(/\r$/, '');
      if (row.trim() === '') return undefined;
      const read = codecs.v5.decode(row);
      if (!read.ok) return handleFaultyRow(row, read.error);
      hasSpoken = true;
      for (const warning of read.warnings) note('E10', warning, row);
      const wrong = scene.isBroken ? undefined : take(read.value);
      if (wrong) {
        const { code, segment, name, expected, received } = wrong.error;
        const text = `segment ${segment} (${name}) must be ${expected}; received "${received}"`;
        if (name === 'msg' && isForgetful) advice.push(`${scene.name}: it uses ${received} again`);
        else note(code, text, row);
      }
      return wrong && wrong.error.name !== 'msg'
        ? endTurnIfFinal(read.value)
        : answerMessage(read.value, row);
    },
    /** Ends the conversation: the worker has ended, or its time is over. */
    end({ failure, isLate }: { failure: string | null; isLate: boolean }): void {
      if (isOver) return;
      isOver = true;
      if (isLate) note('E21', hasSpoken ? 'no answer in time after its first lines' : 'no answer in time');
      else if (failure !== null) note('E99', `it ended without an answer: ${failure}`);
      else if (isForgetful && parseReport(prose.join('\n')).status !== null)
        advice.push(`${scene.name}: it answers with a report, which council takes; others want a line`);
      else if (faults.length === 0) note('E10', 'it ended without a line that answers: S, E, C, D or X');
    },
  };

  /** A faulty line that was meant to end the turn is not asked for again. */
  function endTurnIfFinal({ kind }: Message): null | undefined {
    if (kind === 'update' || kind === 'ack' || kind === 'heartbeat') return undefined;
    isOver = true;
    return null;
  }

  function handleFaultyRow(row: string, error: WireError) {
    const isMeant = row.split('|').length > 4;
    const short = parseShortForm(row);
    if (isMeant || short) hasSpoken = true;
    if (short) return answerMessage(short, row);
    if (!isMeant) {
      prose.push(row);
      if (advice.every((one) => !one.includes('beside its lines')))
        advice.push(`${scene.name}: it prints text beside its lines: ${row.slice(0, 80)}`);
      return undefined;
    }
    note(error.code, `segment ${error.segment} (${error.name}) must be ${error.expected}`, row);
    return undefined;
  }
  /** Parses the short form of a line, which council's prompt allows. */
  function parseShortForm(row: string): Message | undefined {
    if (!/^[SECXU] /.test(row)) return undefined;
    const { task = '', context = '' } = said.at(-1) ?? {};
    const speaking = { task: { id: task, session: context, exchange: [] }, wire: scene.wire, answers: 'O1' };
    return readSaid(row, speaking).last;
  }
}

/** The task state in a line of the orchestrator, by type. */
const STATES: Readonly<Record<string, string>> = { S: 'D', E: 'F', A: '-' };

/** No conversation needs more answers. */
export const MOST_TURNS = LIMITS.clarifications + 4;
