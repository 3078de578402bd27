// A message as `--json` and tools show it.
import type { Posted } from '../channel.ts';
import type { Priority } from '../message.ts';

export interface MessageDocument {
  id: string;
  /** ISO 8601 UTC. */
  time: string;
  from: string;
  to: string;
  channel: string;
  type: string;
  priority: Priority;
  text: string;
  code: string | null;
  artifacts: string[];
  replyTo: string | null;
}

export function messageDocument(message: Posted): MessageDocument {
  const { id, time, from, to, channel, kind, body, code, artifacts, replyTo } = message;
  return {
    id,
    time,
    from,
    to,
    channel,
    type: kind,
    priority: message.priority ?? 'normal',
    text: body ?? '',
    code: code ?? null,
    artifacts: artifacts ?? [],
    replyTo: replyTo ?? null,
  };
}
