import { words as en } from '../../templates/words/en.yaml';
import { words as fr } from '../../templates/words/fr.yaml';
import { PHASES } from './state.ts';
import type { Language } from './state.ts';

/** Every key that both YAML files must have: the type of the words comes from here, and the tests compare. */
// prettier-ignore
export const WORD_KEYS = {
  common: ['yes', 'no', 'none', 'nobody', 'participant', 'shown', 'percent', 'bytes'],
  phases: PHASES,
  councilStatus: ['ACTIVE', 'CONVERGED', 'COMPLETED', 'TIMEOUT', 'CANCELLED'],
  participantStatus: ['WAITING', 'RESPONDED', 'DONE', 'AGREED'],
  absenceReason: ['timeout', 'sealed_text_missing', 'failed', 'excused', 'budget', 'cancelled'],
  closeReason: ['all-responded', 'timeout', 'consensus', 'cancelled', 'budget'],
  state: [
    'title', 'metadata', 'brief', 'participants', 'responses', 'convergence', 'nextPhase',
    'conversationId', 'name', 'mode', 'phase', 'tour', 'status', 'coordinator', 'createdAt', 'updatedAt', 'timeoutAt', 'blind', 'anonymous',
    'participant', 'id', 'lastAction', 'position', 'absent', 'sealed', 'noResponses',
    'responseRate', 'consensus', 'blockingIssues', 'absences', 'absence', 'transitions', 'transition',
    'nextIs', 'nextArchive', 'nextArchiveNoCoordinator', 'closing', 'howToSee', 'howToRespond',
    'rule', 'options', 'repeat', 'times', 'weighted', 'vetoes', 'recused', 'advocate', 'advocateDrawn', 'reasoned', 'held',
    'decision', 'decided', 'decidedOpen', 'undecided', 'votes', 'blindVote',
    'ledger', 'claims', 'raised', 'met',
  ],
  archive: [
    'title', 'brief', 'synthesis', 'synthesisBy', 'decision', 'noDecision', 'positions', 'whoMoved', 'blockingIssues', 'dissent',
    'absences', 'lateContributions', 'transcript', 'transcriptPhase', 'transcriptNote', 'contributionFacts',
    'participant', 'position', 'status', 'said', 'labels', 'label', 'carried', 'noPosition', 'agreed', 'done', 'notAgreed', 'blocks', 'moved', 'nobodyMoved', 'noPositions',
    'noBlockingIssues', 'noDissent', 'noAbsences', 'noLate', 'noContributions', 'blockingIssue', 'dissentLine', 'absence', 'late',
    'howItEnded', 'cancelledWhy', 'closed',
    'decided', 'decidedOpen', 'undecided', 'byRule', 'votes', 'voteCount', 'quorumMet', 'quorumMissed', 'tie', 'blockedBy',
    'options', 'vetoes', 'recused', 'weighted', 'askedAdvocate', 'caseAgainst', 'held', 'vote', 'blindVote', 'firstVote',
    'finalVote', 'whatDebateChanged', 'baseline', 'outcomeKept', 'outcomeChanged', 'flips', 'minorityLost', 'minorityKept',
    'ledger', 'noClaims', 'noChallenges', 'unansweredChallenges', 'unansweredChallenge', 'claimLabels', 'measures', 'noMeasures',
    'measure', 'figure', 'unknown', 'responseRate', 'duration', 'seconds', 'effectiveVotes', 'towardsMajority', 'explainedFlips',
    'unexplainedFlips', 'quotesVerified', 'ofTotal', 'answeredChallenges', 'concededChallenges', 'rejectedChallenges',
    'silentChallenges', 'keptMinority', 'lostMinority', 'tokens', 'cost',
    'costLaunches', 'noLaunches', 'launches', 'inputTokens', 'outputTokens', 'dollars', 'total', 'untold', 'budgetSet', 'budgetSpent', 'stderr',
    'adrStatus', 'adrAccepted', 'adrProposed', 'adrDate', 'adrContext', 'adrDecision', 'adrConsequences', 'adrOptions', 'adrDissent', 'adrSource',
  ],
  ledger: [
    'claim', 'challenge', 'by', 'target', 'quote', 'status', 'words', 'from', 'to', 'phase', 'because', 'nobody', 'unexplained',
    'verified', 'not_found', 'none', 'open', 'answered', 'conceded', 'rejected', 'unanswered',
  ],
  rule: ['plurality', 'majority', 'supermajority', 'unanimity', 'consensus', 'no-blocking', 'none'],
  vote: ['spoken', 'carried', 'absent', 'recused', 'advocate'],
  digest: [
    'title', 'intro', 'noCoordinator', 'coordinatorFailed', 'coordinatorExcused', 'coordinatorTimeout', 'coordinatorBudget', 'cancelled', 'outcome', 'consensus', 'noConsensus',
    'spoke', 'quorumMet', 'quorumMissed', 'positions', 'changes', 'blockingIssues', 'dissent', 'challenges', 'support',
    'firstWords', 'absences', 'silent',
  ],
  view: [
    'title', 'youAre', 'youAreCoordinator', 'persona', 'houseRules', 'now', 'phase', 'phases', 'deadline', 'instructions', 'blind',
    'notYourTurn', 'notYourTurnCoordinator', 'noCoordinator', 'alreadyDone', 'form', 'formText', 'formPosition', 'formDecision', 'formFields', 'formFieldsSynthesis',
    'ending', 'endingAgent', 'endingCommand', 'endingHuman', 'brief', 'briefNote', 'others', 'othersNote', 'own', 'ownNote', 'knownAs', 'noOthers', 'contribution', 'reminder',
    'claims', 'claim', 'advocateSaid', 'formOption', 'formOptions', 'formChallenge', 'formMoves', 'advocate', 'advocateNote',
    'challenges', 'noChallenges', 'challengesNote', 'challenge', 'challengeAtLarge', 'challengeText', 'quoteNotFound',
    'theCoordinator', 'facts', 'factsNote', 'factsDecided', 'factsDecidedOpen', 'factsUndecided', 'factsHeard', 'factsPosition', 'factsMinority',
    'factsUnanswered', 'factsChallenge', 'factsChallengeOfClaim', 'factsBlocking', 'factsIssue', 'factsAbsent',
  ],
  reason: ['accepted', 'no_rule', 'nobody', 'no_quorum', 'blocked', 'unheard', 'not_agreed', 'no_position', 'tie', 'too_few', 'open'],
} as const;

/** The words of one language, by section and key. */
export type Words = {
  readonly [Section in keyof typeof WORD_KEYS]: Readonly<Record<(typeof WORD_KEYS)[Section][number], string>>;
};

// A test compares both files with WORD_KEYS, so the assertion is proved before anything is shipped.
const LANGUAGES: Record<Language, Words> = { en: en as Words, fr: fr as Words };

/** The headings, labels and sentences of a language (`templates/words/<lang>.yaml`). */
export function wordsFor(lang: Language): Words {
  return LANGUAGES[lang];
}

/**
 * Puts values into the `{name}` placeholders of a template. Values go in literally and are never looked at again,
 * so a topic that contains `{deadline}` stays as it is; a placeholder without a value stays too.
 */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}
