/** The offline panel: four reviewers that need no model, and who sums up their findings. */
export const OFFLINE = {
  agents: ['plain-language', 'precision', 'structure', 'inclusion'],
  coordinator: 'rapporteur',
};
