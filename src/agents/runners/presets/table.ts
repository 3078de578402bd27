// Table of all presets by name (pure data).
import type { PresetName } from '../../runner-kind.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { llm, ollama } from './local.ts';
import { openclaw } from './openclaw.ts';
import { opencode } from './opencode.ts';
import type { Preset } from './preset.ts';

/** Every agent program that council knows how to call. */
export const presets: Record<PresetName, Preset> = { claude, codex, gemini, opencode, openclaw, ollama, llm };
