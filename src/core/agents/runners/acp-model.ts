// Agent Client Protocol: choosing a session's model.
import { isMapping } from '../front-matter-fields.ts';

/** The models a session offers, and how one of them is asked for. */
export interface ModelChoices {
  current: string | null;
  ids: string[];
  select: { method: string; params: (id: string) => Record<string, unknown> };
}

/**
 * Reads them out of the answer to `session/new`: a configuration option of the category `model`, or the `models` of
 * agents that came before those. Undefined when the agent leaves no choice.
 */
export function modelChoices(session: Record<string, unknown>): ModelChoices | undefined {
  const option = filterMappings(session.configOptions).find(
    (one) => one.type === 'select' && (one.category ?? one.id) === 'model',
  );
  if (option) {
    const entries = filterMappings(option.options).flatMap((one) =>
      Array.isArray(one.options) ? filterMappings(one.options) : [one],
    );
    return {
      current: textOr(option.currentValue),
      ids: entries.map(({ value }) => String(value)),
      select: {
        method: 'session/set_config_option',
        params: (value) => ({ configId: option.id, value }),
      },
    };
  }
  if (!isMapping(session.models)) return undefined;
  return {
    current: textOr(session.models.currentModelId),
    ids: filterMappings(session.models.availableModels).map(({ modelId }) => String(modelId)),
    select: { method: 'session/set_model', params: (modelId) => ({ modelId }) },
  };
}

/** The id of the model `wanted`: as it is, or the only one that ends in it after a provider's name. */
export function findModel(wanted: string, ids: string[]): string | undefined {
  if (ids.includes(wanted)) return wanted;
  const [id, another] = ids.filter((one) => one.endsWith(`/${wanted}`));
  return another === undefined ? id : undefined;
}

/** The mappings of a list; what is none is left out. */
export const filterMappings = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isMapping) : [];

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);
