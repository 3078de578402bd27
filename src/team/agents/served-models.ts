// Asks a server that speaks like OpenAI which models it has.

const ANSWER_MS = 3000;

/** Undefined where no such server answers. An address without its version is understood: `…:8080` as `…:8080/v1`, which goes first. */
export async function listServedModels(
  baseUrl: string,
  key: string | null,
  signal: AbortSignal,
): Promise<{ baseUrl: string; models: string[] } | undefined> {
  const versioned = `${baseUrl}/v1`;
  const hasPath = URL.parse(baseUrl)?.pathname !== '/';
  for (const url of hasPath ? [baseUrl, versioned] : [versioned, baseUrl]) {
    const models = await readModels(url, key, signal);
    if (models) return { baseUrl: url, models };
  }
  return undefined;
}

async function readModels(
  baseUrl: string,
  key: string | null,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const told = (await answer.json()) as { data?: unknown } | null;
    if (!answer.ok || !Array.isArray(told?.data)) return undefined;
    return told.data.flatMap((one: unknown) =>
      typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'string' ? [one.id] : [],
    );
  } catch (error) {
    if (signal.aborted) throw error;
    // Not running, or another program at this address.
    return undefined;
  }
}
