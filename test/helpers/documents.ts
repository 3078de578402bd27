/** The documents that `--json` prints, as the issue fixes them. */
export interface Started {
  name: string;
  conversationId: string;
  path: string;
  phase: string;
  tour: number;
  timeoutAt: string;
  revision: number;
}

export interface Responded {
  accepted: boolean;
  name: string;
  participant: string;
  phase: string;
  tour: number;
  revision: number;
  reason?: string;
  kept?: string;
}

export interface Ticked {
  councils: {
    name: string;
    conversationId: string;
    from: string;
    to: string;
    reason: string | null;
    transitions: { from: string; to: string; reason: string }[];
    error?: { code: string };
    launched: string[];
    failed: { id: string; reason: string; kind?: string }[];
    archive: string | null;
  }[];
}

export interface State {
  schema: 1;
  revision: number;
  textSha256: string;
  conversationId: string;
  name: string;
  topic: string;
  mode: string;
  currentPhase: string;
  tour: number;
  createdAt: string;
  updatedAt: string;
  timeoutAt: string;
  phaseClock?: { bootId: string; uptime: number; moved?: { ms: number; why: string } };
  status: string;
  coordinator: string | null;
  participants: Record<
    string,
    {
      status: string;
      lastAction: string | null;
      position: string | null;
      agreed: boolean;
      blocking: string[];
      absent: string | null;
      attempts: number;
      lease: unknown;
      commitment: string | null;
    }
  >;
  synthesizer: { status: string; absent: string | null } | null;
  convergence: {
    responseRate: number;
    hasConsensus: boolean;
    blockingIssues: { by: string; issue: string }[];
  };
  absences: { participant: string; phase: string; tour: number; reason: string }[];
  lang: string;
  blind: boolean;
  identity: string;
  read?: string;
  change: { action: string; by: string | null; actor: string };
  path: string;
  edited: boolean;
  missing?: string[];
  aside?: { participant: string; phase: string; tour: number; path: string }[];
}

export interface Status {
  councils: State[];
}

export interface Viewed {
  name: string;
  participant: string;
  phase: string;
  tour: number;
  deadline: string;
  brief: string;
  prompt: string;
  contributions: { label: string; phase: string; text: string }[];
}

export interface Listed {
  archives: {
    id: string;
    path: string;
    topic: string;
    mode: string;
    status: string;
    startedAt: string;
    endedAt: string;
    turnedOut?: { right: string };
  }[];
}

export interface Exported {
  outcomes: { right: string }[];
  meta: {
    id: string;
    path: string;
    conversationId: string;
    topic: string;
    mode: string;
    status: string;
    coordinator: string | null;
    participants: { id: string }[];
    tours: number;
    why: string | null;
    control?: { answers?: { participant: string; text: string | null }[] };
  };
  brief: string;
  synthesis: { text: string; by: string | null; computed: boolean; lender: string | null };
  metrics: Record<string, unknown>;
  ballot: { id: string; position: string; by: string[]; sameAs: string[] }[] | null;
  contributions: {
    participant: string;
    phase: string;
    tour: number;
    at: string;
    sha256: string;
    text: string;
  }[];
  absences: { participant: string; phase: string; tour: number; reason: string }[];
  late: { name: string; bytes: number; sha256: string; path: string }[];
}

export interface Ran {
  name: string;
  conversationId: string;
  status: string;
  archive: string;
  outcome: string | null;
  synthesis: string;
  by: string | null;
}

export interface Failed {
  /** `kept`: where the text that was given lies. */
  error: { code: string; message: string; hint: string | null; kept?: string };
}
