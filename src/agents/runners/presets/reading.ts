// Helpers for presets that read JSON, usage and failures out of a program's output.
import { keysOf } from '../../../base/objects.ts';
import type { FailureKind, Usage } from '../speak.ts';
import type { Reading } from './preset.ts';

/** A JSON object out of foreign output: every access gives the type asked for, or null. */
export interface Json {
  text(key: string): string | null;
  number(key: string): number | null;
  /** True only for true. */
  flag(key: string): boolean;
  object(key: string): Json;
  /** The objects under the keys of an object. */
  entries(): [string, Json][];
}

/** Wraps any value; what is no object has no keys. */
export function json(value: unknown): Json {
  const data = keysOf(value);
  return {
    text: (key) => (typeof data[key] === 'string' ? data[key] : null),
    number: (key) => (typeof data[key] === 'number' && Number.isFinite(data[key]) ? data[key] : null),
    flag: (key) => data[key] === true,
    object: (key) => json(data[key]),
    entries: () => Object.entries(data).map(([key, inner]) => [key, json(inner)]),
  };
}

/** The one JSON document in the output, or null. Bytes that are no UTF-8 are no document. */
export function parseJson(bytes: Buffer | string): Json | null {
  try {
    const text = typeof bytes === 'string' ? bytes : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? json(value) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** The JSON documents of an output with one on each line; lines that are none are left out. */
export function parseLines(bytes: Buffer): Json[] {
  const lines: Json[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    const line = parseJson(bytes.subarray(start, end < 0 ? bytes.length : end));
    if (line) lines.push(line);
    start = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}

/** Numbers added up, null when there was none. */
export function sum(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** A turn that said something. */
export function answered(text: string | null, usage: Usage | null): Reading {
  return { answer: Buffer.from(text ?? ''), usage, failure: null };
}

/** A turn that failed; how long to wait is read out of the reason. */
export function failed(
  kind: FailureKind,
  reason: string,
  usage: Usage | null = null,
  status: number | null = null,
): Reading {
  const wait = kind === 'rate-limit' ? waitIn(reason) : null;
  const failure = {
    kind,
    reason,
    ...(status !== null && { status }),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  };
  return { answer: Buffer.alloc(0), usage, failure };
}

/** What an HTTP status of a model's provider means for another attempt. */
export function kindOfStatus(status: number | null): FailureKind {
  if (status === 429 || status === 529) return 'rate-limit';
  // 408 and 409 pass; every other complaint about the request would come again.
  return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 409
    ? 'config'
    : 'failed';
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds in "try again in 1h 5m", "Retry after about 1 minute", "reset after 20.5s"; null without any. */
export function waitIn(text: string): number | null {
  const phrase =
    /(?:try again in|retry (?:after|in)|resets? (?:after|in))[: ]*(?:about )?((?:[\d.]+ *(?:ms|[smhd])[a-z]*[, ]*)+)/i;
  const parts = [...(phrase.exec(text)?.[1] ?? '').matchAll(/(\d+(?:\.\d+)?) *(ms|[smhd])/gi)];
  if (parts.length === 0) return null;
  return Math.round(
    parts.reduce(
      (total, [, count, unit]) => total + Number(count) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0),
      0,
    ),
  );
}
