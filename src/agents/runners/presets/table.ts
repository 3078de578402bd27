// Puts together what is known of each agent program.
import { PRESETS } from '../../runner-kind.ts';
import type { PresetName } from '../../runner-kind.ts';
import { planners } from './planners.ts';
import type { Preset } from './preset.ts';
import { programs } from './programs.ts';
import { shapes } from './shapes.ts';

/** Every agent program that council knows how to call. */
export const presets = Object.fromEntries(
  PRESETS.map((name) => [name, { ...programs[name], shape: shapes[name], plan: planners[name] }]),
) as Record<PresetName, Preset>;
