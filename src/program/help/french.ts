// French for the help: the frame, the first screen and what each command does.
import { HELP_OF_AGENTS, HELP_OF_COUNCILS } from './french-councils.ts';

import { HELP_OF_SETUP, HELP_OF_STEPS } from './french-setup.ts';

import { createTranslator } from '../../core/base/words/to-french.ts';
import type { FrenchRow } from '../../core/base/words/to-french.ts';

export const HELP: readonly FrenchRow[] = [
  // the frame
  ['Usage:', 'Utilisation :'],
  ['Arguments:', 'Arguments :'],
  ['Options:', 'Options :'],
  ['Commands:', 'Commandes :'],
  ['Examples:', 'Exemples :'],
  ['display help for command', 'montre cette aide'],
  ['print the version', 'affiche la version'],
  ['help for a command; help all is this list', 'l’aide d’une commande ; help all donne cette liste'],
  ['print one JSON document on stdout', 'écrit un document JSON sur la sortie standard'],
  ['print one event a line, each a JSON object', 'écrit un événement par ligne, chacun un objet JSON'],
  [
    'the project folder (default: the nearest one upwards; COUNCIL_ROOT)',
    'le dossier du projet (par défaut : le plus proche en remontant ; COUNCIL_ROOT)',
  ],
  [
    'have a server do it (COUNCIL_SERVER; its token: COUNCIL_TOKEN)',
    'le fait faire par un serveur (COUNCIL_SERVER ; son jeton : COUNCIL_TOKEN)',
  ],
  [', separated by commas', ', séparés par des virgules'],
  ['; may be repeated', ' ; peut être répété'],
  ['; - for stdin', ' ; - pour l’entrée standard'],
  // the first screen
  ['Usage: council COMMAND [options]', 'Utilisation : council COMMANDE [options]'],
  [
    'Seats AI agents and people around one question: blind answers, verified\nchallenges, an archived decision.',
    'Réunit des agents d’IA et des personnes autour d’une question : réponses à\nl’aveugle, objections vérifiées, décision archivée.',
  ],
  [
    'Seats AI agents and people around one Markdown file: blind answers, verified challenges, an archived decision.',
    'Réunit des agents d’IA et des personnes autour d’un fichier Markdown : réponses à l’aveugle, objections vérifiées, décision archivée.',
  ],
  ['what each agent says, where they agree and differ', 'ce que dit chaque agent, accords et désaccords'],
  ['findings in a change, and whether it may go in', 'les constats sur un changement, et s’il peut passer'],
  ['a debate to the end: challenges, votes, an archive', 'un débat entier : objections, votes, archive'],
  ['answer as a person at the table', 'répondre en tant que personne à la table'],
  ['where the open councils stand', 'où en sont les conseils ouverts'],
  ['follow them live', 'les suivre en direct'],
  ['the last archive: what was decided, and why', 'la dernière archive : la décision et ses raisons'],
  ['all archives, with what they decided', 'toutes les archives, avec leur décision'],
  ['who can sit here; agents add ID seats one more', 'qui peut siéger ici ; agents add ID en ajoute un'],
  ['what works here, what is missing, how to fix it', 'ce qui marche ici, ce qui manque, comment y remédier'],
  ['the pages of this project in a browser', 'les pages de ce projet dans un navigateur'],
  [
    'A question may be a file, or be piped in: {command}',
    'Une question peut être un fichier, ou venir d’un tube :\n  {command}',
  ],
  [
    'Without any model: council demo, and council run --panel offline FILE',
    'Sans aucun modèle : council demo, et council run --panel offline FICHIER',
  ],
  ['More:', 'Et encore :'],
  ['all commands, by what one wants to do', 'toutes les commandes, par but'],
  ['one command, with its options and examples', 'une commande, avec ses options et des exemples'],
  ['commands and names by the Tab key', 'commandes et noms par la touche Tab'],
  // the long list
  ['Hold a council:', 'Tenir un conseil :'],
  ['Take part:', 'Participer :'],
  ['Follow it, and keep it going:', 'Le suivre, et le faire avancer :'],
  ['Step in:', 'Intervenir :'],
  ['Look back:', 'Revenir en arrière :'],
  ['Write to each other:', 'S’écrire :'],
  ['Have work done:', 'Faire travailler :'],
  ['Share the files:', 'Partager les fichiers :'],
  ['Allow and check:', 'Autoriser et vérifier :'],
  ['Set up:', 'Installer :'],
  ['For agents and shells:', 'Pour les agents et les shells :'],
  ['Others:', 'Autres :'],
  [
    'council COMMAND --help shows one command with its options and examples.',
    'council COMMANDE --help montre une commande avec ses options et des exemples.',
  ],
  [
    'Every command takes --json (one document on stdout) and --root DIR (the project folder).',
    'Toute commande accepte --json (un document sur la sortie standard) et --root DOSSIER (le dossier du projet).',
  ],
  [
    'Exit codes: 0 done, 1 failed or refused, 2 usage, 3 no verdict, 75 busy, 124 timed out, 130 interrupted.',
    'Codes de sortie : 0 fait, 1 échec ou refus, 2 mauvais usage, 3 sans verdict, 75 occupé, 124 délai dépassé, 130 interrompu.',
  ],
  // what each command does
  [
    'ask every agent once, blind, and see who disagrees; go on from there',
    'interroger chaque agent une fois, à l’aveugle, voir qui n’est pas d’accord, et continuer de là',
  ],
  ['start a council and play it to the archive', 'commencer un conseil et le jouer jusqu’à l’archive'],
  [
    'have a table review a change: findings that are checked, and a verdict by rule',
    'faire relire un changement par une table : des constats vérifiés, et un verdict selon la règle',
  ],
  [
    'ask questions whose answers are known, and see whether a debate is worth its launches',
    'poser des questions dont on sait la réponse, et voir si un débat vaut ses lancements',
  ],
  [
    'watch a scripted debate, in a temporary folder',
    'regarder un débat écrit d’avance, dans un dossier temporaire',
  ],
  [
    'put the brief of an archived council to another table, and compare',
    'soumettre le mandat d’un conseil archivé à une autre table, et comparer',
  ],
  [
    'open a council; a heartbeat or people take it from there',
    'ouvrir un conseil, qu’un heartbeat ou des personnes font avancer',
  ],
  ['contribute to the open phase, word for word', 'contribuer à la phase ouverte, mot pour mot'],
  [
    'what a participant may see now: the prompt it would get',
    'ce qu’un participant peut voir maintenant : le prompt qu’il recevrait',
  ],
  [
    'what is read in a text, and what it lacks, before or without contributing it',
    'ce qui est lu dans un texte, et ce qui y manque, avant ou sans y contribuer',
  ],
  ['where the active councils stand', 'où en sont les conseils en cours'],
  ['follow a council live', 'suivre un conseil en direct'],
  [
    'wait for a turn, a phase or the end of a council',
    'attendre un tour de parole, une phase ou la fin d’un conseil',
  ],
  [
    'one pass of the heartbeat: close, launch, wait, record',
    'un passage du heartbeat : fermer, lancer, attendre, enregistrer',
  ],
  [
    'tick on a schedule in the foreground, and when a contribution lands',
    'appeler tick à heures fixes au premier plan, et à chaque contribution',
  ],
  [
    'let a council go on that waits behind its blind answers',
    'faire continuer un conseil qui attend après ses réponses à l’aveugle',
  ],
  ['give the open phase more time', 'donner plus de temps à la phase ouverte'],
  ['no longer wait for a participant in this phase', 'ne plus attendre un participant dans cette phase'],
  ['launch an agent again that failed', 'relancer un agent qui a échoué'],
  ['end a council now: reveal and archive', 'finir un conseil maintenant : révéler et archiver'],
  ['bring back a sealed text that is missing here', 'rapporter un texte scellé qui manque ici'],
  ['the kept revisions of a council', 'les révisions gardées d’un conseil'],
  [
    'go back to a revision; without one, drop a hand edit',
    'revenir à une révision ; sans numéro, abandonner une modification à la main',
  ],
  [
    'take a hand edit of the state file, or of a copy, as the next revision',
    'reprendre une modification à la main du fichier d’état, ou d’une copie, comme révision suivante',
  ],
  ['the archived councils', 'les conseils archivés'],
  ['an archived council, rendered for the terminal', 'un conseil archivé, mis en page pour le terminal'],
  [
    'find words and "phrases" in all archives and reports',
    'chercher des mots et des « expressions » dans toutes les archives et tous les rapports',
  ],
  ['record what turned out to be right after a council', 'noter ce qui s’est révélé juste après un conseil'],
  [
    'write the archives of a project in PostgreSQL into this checkout',
    'écrire dans ce dossier les archives d’un projet qui est dans PostgreSQL',
  ],
  [
    'everything an agent printed in its last launches',
    'tout ce qu’un agent a affiché à ses derniers lancements',
  ],
  ['what councils have cost: tokens and US$', 'ce que les conseils ont coûté : jetons et $US'],
  [
    'a council as a page, a picture, Markdown, JSON or a decision record',
    'un conseil en page, en image, en Markdown, en JSON ou en relevé de décision',
  ],
  [
    'claims, challenges and changes of position of a council or an archive',
    'affirmations, objections et changements de position d’un conseil ou d’une archive',
  ],
  [
    'measures of a council: response rates, changes of position, quotes, independent votes, time',
    'les mesures d’un conseil : taux de réponse, changements de position, citations, votes indépendants, durées',
  ],
  ['send a message to an agent, a person or all', 'envoyer un message à un agent, à une personne ou à tous'],
  [
    'the messages to an agent, to a person or to all; marks nothing read',
    'les messages à un agent, à une personne ou à tous ; ne marque rien comme lu',
  ],
  ['acknowledge messages: they are handled', 'accuser réception de messages : ils sont traités'],
  [
    'refuse messages; their senders are told why',
    'refuser des messages ; leurs expéditeurs apprennent pourquoi',
  ],
  [
    'what became of the messages that somebody sent',
    'ce que sont devenus les messages envoyés par quelqu’un',
  ],
  [
    'list, show, follow or create channels of messages',
    'lister, montrer, suivre ou créer des canaux de messages',
  ],
  [
    'what happened, in the order of time: messages, launches, questions, approvals, attempts and results',
    'ce qui s’est passé, dans l’ordre : messages, lancements, questions, autorisations, essais et résultats',
  ],
  [
    'which agents are awake, and whether they are at work',
    'quels agents sont éveillés, et s’ils travaillent',
  ],
  ['have a program answer the messages to an agent', 'faire répondre un programme aux messages d’un agent'],
  [
    'have agents do tasks: alone, or those of a plan in their order',
    'confier des tâches aux agents : seules, ou celles d’un plan dans leur ordre',
  ],
  [
    'reserve files before changing them; refused where somebody else has them',
    'réserver des fichiers avant de les modifier ; refusé si quelqu’un d’autre les a',
  ],
  ['give up reservations', 'rendre des réservations'],
  [
    'who has reserved which files, what for, and for how long',
    'qui a réservé quels fichiers, pourquoi et pour combien de temps',
  ],
  [
    'list, show, approve or reject what agents have to ask for',
    'lister, montrer, accorder ou refuser ce que les agents doivent demander',
  ],
  [
    'who asked, who allowed it, what ran; and whether that record is whole',
    'qui a demandé, qui a permis, ce qui a tourné ; et si ce registre est complet',
  ],
  ['prepare this folder for councils', 'préparer ce dossier pour des conseils'],
  [
    'find what keeps councils from working here, and how to fix it',
    'trouver ce qui empêche les conseils de marcher ici, et comment y remédier',
  ],
  [
    'list, show, add, change, remove or check agents, and their keys',
    'lister, montrer, ajouter, changer, supprimer ou vérifier des agents, et leurs clés',
  ],
  [
    'allow the programs of a project from elsewhere to run',
    'permettre de lancer les programmes d’un projet venu d’ailleurs',
  ],
  ['the modes of this project, or one of them', 'les modes de ce projet, ou l’un d’eux'],
  ['have cron or systemd call tick', 'faire appeler tick par cron ou systemd'],
  ['remove what install wrote', 'enlever ce que install a écrit'],
  [
    'prepare a PostgreSQL database that keeps the project, or move the project',
    'préparer une base PostgreSQL qui garde le projet, ou déplacer le projet',
  ],
  [
    'a tool server (Model Context Protocol) for agents, on stdin and stdout',
    'un serveur d’outils (Model Context Protocol) pour les agents, sur l’entrée et la sortie standard',
  ],
  [
    'an HTTP server: the pages for people, the API for other machines, MCP over HTTP',
    'un serveur HTTP : les pages pour les personnes, l’API pour d’autres machines, MCP par HTTP',
  ],
  ['open the pages of this project in a browser', 'ouvrir les pages de ce projet dans un navigateur'],
  [
    'a link by which a person takes their seat in the browser',
    'un lien par lequel une personne prend place dans le navigateur',
  ],
  [
    'make, list and revoke the tokens by which a server lets somebody in',
    'créer, lister et révoquer les jetons par lesquels un serveur laisse entrer',
  ],
  [
    'install a skill: how an agent convenes a council and takes part in one',
    'installer une compétence : comment un agent convoque un conseil et y participe',
  ],
  [
    'read, check, convert and explain messages between agents',
    'lire, vérifier, convertir et expliquer des messages entre agents',
  ],
  [
    'commands, options and names by the Tab key, in bash, zsh and fish',
    'commandes, options et noms par la touche Tab, dans bash, zsh et fish',
  ],
  ...HELP_OF_COUNCILS,
  ...HELP_OF_STEPS,
  ...HELP_OF_SETUP,
  ...HELP_OF_AGENTS,
];

/** A text of the help in French. */
export const toFrenchHelp = createTranslator(HELP);

/** What is said of an option: its help, how its value is written, and where that comes from without it. */
export function toFrenchOption(text: string): string {
  const whole = toFrenchHelp(text);
  if (whole !== text) return whole;
  const [, said = '', syntax = '', sources] = OPTION.exec(text) ?? [];
  const shown = `${toFrenchHelp(said)}${toFrenchHelp(syntax)}`;
  return sources === undefined ? shown : `${shown} (${sources.split('; ').map(toFrenchSource).join(' ; ')})`;
}

const OPTION =
  /^(.*?)(, separated by commas|; may be repeated|; - for stdin)?(?: \(((?:default: |preset: |[A-Z]+_[A-Z]).*)\))?$/s;

function toFrenchSource(source: string): string {
  const [, kind, value = source] = /^(default|preset): (.*)$/s.exec(source) ?? [];
  if (kind === undefined) return toFrenchHelp(source);
  return `${kind === 'default' ? 'par défaut' : 'sans valeur'} : ${toFrenchHelp(value)}`;
}
