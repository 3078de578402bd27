// OpenTelemetry spans around slow work, if the process has set up tracing. Otherwise nothing is loaded.
import { CouncilError } from './errors.ts';

/** Global key under which every copy of OpenTelemetry's API keeps its registry. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

export type Attributes = Record<string, string | number | boolean>;

/** Adds attributes to a span during the work. */
export type AddAttributes = (attributes: Attributes) => void;

/**
 * Runs some work inside a trace span, if tracing is on. Records names and numbers only: no text,
 * path or secret. Errors pass through, and the span records their code.
 */
export const runInSpan = <T>(
  name: string,
  attributes: Attributes,
  work: (tell: AddAttributes) => Promise<T>,
): Promise<T> => (isListening() ? recordSpan(name, attributes, work) : work(() => undefined));

function isListening(): boolean {
  const registry = (globalThis as { [REGISTRY]?: { trace?: unknown } })[REGISTRY];
  return registry?.trace !== undefined;
}

async function recordSpan<T>(
  name: string,
  attributes: Attributes,
  work: (tell: AddAttributes) => Promise<T>,
): Promise<T> {
  const { SpanStatusCode, trace } = await import('@opentelemetry/api');
  return trace.getTracer('council').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work((more) => void span.setAttributes(more));
    } catch (error) {
      const message = error instanceof CouncilError ? error.code : 'failed';
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      span.end();
    }
  });
}
