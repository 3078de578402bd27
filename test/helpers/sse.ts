/** One event of a stream. */
export interface Sent {
  id: string;
  data: { name: string; revision: number; phase: string | null; spoken: string[] };
}

/** An event stream that is being read: what has come so far, and whether it has ended. */
export async function listen(url: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  const answer = await fetch(url, { headers, signal: ending.signal });
  const events: Sent[] = [];
  const state = { isOver: false, raw: '' };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      state.raw += decoder.decode(chunk, { stream: true });
      const parts = state.raw.split('\n\n').slice(0, -1);
      events.length = 0;
      for (const part of parts) {
        const [, id] = /^id: (.*)$/m.exec(part) ?? [];
        const [, data] = /^data: (.*)$/m.exec(part) ?? [];
        if (id !== undefined && data !== undefined)
          events.push({ id, data: JSON.parse(data) as Sent['data'] });
      }
    }
  };
  const over = read()
    .catch(() => undefined)
    .then(() => void (state.isOver = true));
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    raw: () => state.raw,
    isOver: () => state.isOver,
    async stop() {
      ending.abort();
      await over;
    },
  };
}
