// French for the help of commands that step in and look back: their options.
import type { FrenchRow } from '../../core/base/words/to-french.ts';

export const HELP_OF_STEPS: readonly FrenchRow[] = [
  [
    'a text that goes with the question like a file; the question itself where there is no other',
    'un texte joint à la question comme un fichier ; la question elle-même s’il n’y en a pas d’autre',
  ],
  [
    'Plays a debate about a job queue, from the blind answers to the archive, in less than ten seconds. The characters follow a script: no model is asked. Everything is in a temporary folder, whose path it prints.',
    'Joue un débat sur une file de tâches, des réponses à l’aveugle à l’archive, en moins de dix secondes. Les personnages suivent un texte écrit : aucun modèle n’est interrogé. Tout se passe dans un dossier temporaire, dont le chemin est affiché.',
  ],
  [
    'Plays a new council on the same brief, and shows both outcomes beside each other: positions, who changed their mind, and what it took.',
    'Joue un nouveau conseil sur le même mandat, et montre les deux résultats côte à côte : positions, changements d’avis, coût.',
  ],
  [
    'the archived council whose brief is asked again; last for the newest',
    'le conseil archivé dont le mandat est reposé ; last pour le plus récent',
  ],
  ['those who sat there', 'ceux qui y siégeaient'],
  ['that of the archive', 'celui de l’archive'],
  [
    'how far it goes by itself: to the blind answers, to a synthesis of them, or through all phases of its mode',
    'jusqu’où il va de lui-même : aux réponses à l’aveugle, à leur synthèse, ou par toutes les phases de son mode',
  ],
  ['long contributions of others in full', 'les longues contributions des autres en entier'],
  ['the text, which is not recorded', 'le texte, qui n’est pas enregistré'],
  ['the phase it is for', 'la phase à laquelle il est destiné'],
  ['the open one, without a council COLLECT', 'celle qui est ouverte, sans conseil COLLECT'],
  ['whose text it is', 'de qui est le texte'],
  ["nobody's in particular", 'personne en particulier'],
  ['active-conversation, the only active one, or none', 'active-conversation, le seul en cours, ou aucun'],
  ['turn:AGENT, phase:PHASE or archived', 'turn:AGENT, phase:PHASE ou archived'],
  ['give up after this long (exit 124)', 'abandonne après ce temps (code 124)'],
  ['close phases, launch nobody', 'ferme les phases, ne lance personne'],
  [
    'go on until there is nothing to close or launch; may take long',
    'continue tant qu’il y a quelque chose à fermer ou à lancer ; peut être long',
  ],
  ['the reason, kept in the history', 'la raison, gardée dans l’historique'],
  ['while nothing is active', 'tant que rien n’est en cours'],
  ['while a council is active', 'tant qu’un conseil est en cours'],
  [
    'A council that was opened by council ask on a terminal waits there until the person who asked has chosen. This chooses from elsewhere, once: debate, synthesis or end. A note joins every later prompt.',
    'Un conseil ouvert par council ask sur un terminal y attend le choix de la personne qui a demandé. Ceci choisit d’ailleurs, une seule fois : debate, synthesis ou end. Une note s’ajoute à tous les prompts suivants.',
  ],
  [
    'debate (they challenge each other), synthesis (the coordinator sums up), or end (archive the answers)',
    'debate (ils se font des objections), synthesis (la coordination résume) ou end (archiver les réponses)',
  ],
  ['it waits on, and gets the note', 'il attend toujours, et reçoit la note'],
  [
    'tell the table something before it goes on: part of every later prompt, and no vote',
    'dit quelque chose à la table avant qu’elle continue : fait partie de tous les prompts suivants, et n’est pas un vote',
  ],
  ['how much more time', 'combien de temps en plus'],
  ['who is no longer waited for', 'celui qu’on n’attend plus'],
  [
    'An agent that is not logged in, whose model is unknown, or whose limit lasts is launched once in a council, and then no more until its login has changed or the limit is over. This forgets what is known of it.',
    'Un agent non connecté, dont le modèle est inconnu ou dont la limite dure, est lancé une fois par conseil, puis plus du tout tant que sa connexion n’a pas changé ou que la limite dure. Ceci oublie ce qu’on sait de lui.',
  ],
  ['who is launched again', 'celui qui est relancé'],
  [
    'the sealed-….json file, copied from the host where it lies (council status names it)',
    'le fichier sealed-….json, copié de la machine où il se trouve (council status la nomme)',
  ],
  [
    'the revision to go back to; without one, a hand edit is dropped',
    'la révision à laquelle revenir ; sans elle, une modification à la main est abandonnée',
  ],
  [
    'an edited copy of the newest text, or a file that a program which syncs has kept aside: its answers are taken over',
    'une copie modifiée du dernier texte, ou un fichier mis de côté par un programme de synchronisation : ses réponses sont reprises',
  ],
  ['words and "phrases"', 'des mots et des "expressions"'],
  ['how many results', 'combien de résultats'],
  [
    'The record lies beside the archive, which never changes, and is shown wherever the archive is. A later record replaces the one before, which is kept. How often each participant was right: council agents metrics.',
    'La note est à côté de l’archive, qui ne change jamais, et se montre partout avec elle. Une note ultérieure remplace la précédente, qui est gardée. Combien de fois chacun a eu raison : council agents metrics.',
  ],
  [
    'the number of the position that turned out to be right, none where no position was, other where something else was',
    'le numéro de la position qui s’est révélée juste, none si aucune ne l’était, other si c’était autre chose',
  ],
  ['how it turned out, in a line', 'ce qu’il en est advenu, en une ligne'],
  ['the day when it turned out, such as 2026-11-01', 'le jour où cela s’est révélé, comme 2026-11-01'],
  ['today (UTC)', 'aujourd’hui (UTC)'],
  [
    'Shows stdout, stderr, exit code, duration and attempt of the last launch, or of the last N. It lies in your own private folder, the last 20 launches of each participant of a council, until 30 days after the archive. While COLLECT is blind it shows what is sealed: an agent in its turn sees its own alone. Without a council it is the active one, else the newest archive. What happened to messages is another thing: council log.',
    'Montre la sortie, les erreurs, le code, la durée et l’essai du dernier lancement, ou des N derniers. C’est dans votre dossier privé : les 20 derniers lancements de chaque participant, jusqu’à 30 jours après l’archive. Pendant un COLLECT à l’aveugle, cela montre ce qui est scellé : un agent ne voit que le sien à son tour. Sans conseil donné, c’est celui en cours, sinon la dernière archive. Pour les messages : council log.',
  ],
  ['whose launches', 'de qui sont les lancements'],
  [
    'the name of an active council, or an archive: its stem, path, conversationId or name',
    'le nom d’un conseil en cours, ou une archive : son nom de fichier, chemin, conversationId ou nom',
  ],
  ['the active council', 'le conseil en cours'],
  ['how many launches', 'combien de lancements'],
  [
    'Adds up what agents reported, over active councils and archives. Launches that reported nothing are counted separately, and those of a blind phase once it has closed.',
    'Additionne ce que les agents ont indiqué, pour les conseils en cours et les archives. Les lancements sans indication sont comptés à part, et ceux d’une phase à l’aveugle une fois qu’elle est fermée.',
  ],
  [
    'only this one: the name of an active council, or an archive: its stem, path, conversationId or name',
    'celui-ci seulement : le nom d’un conseil en cours, ou une archive : son nom de fichier, chemin, conversationId ou nom',
  ],
  ['agent, model, council, month or day', 'agent, model, council, month ou day'],
  [
    'only launches from this day on (UTC), such as 2026-11-01',
    'seulement les lancements à partir de ce jour (UTC), comme 2026-11-01',
  ],
  [
    'A page (html) is one file in the language of the council: the decision with its dissent, how positions moved, the ledger as threads, the timeline with its cost, and every contribution, each with an address of its own. It has no script, loads nothing, opens from a folder and prints. A picture (svg) shows how positions moved. Both can be had of a council that goes on: they show the rounds that have closed, and nobody whom the council does not name.',
    'Une page (html) est un seul fichier, dans la langue du conseil : la décision et ses désaccords, l’évolution des positions, le registre en fils, la chronologie avec son coût, et chaque contribution, à sa propre adresse. Elle n’a pas de script, ne charge rien, s’ouvre depuis un dossier et s’imprime. Une image (svg) montre l’évolution des positions. Les deux existent aussi pour un conseil en cours : elles montrent les tours fermés, et ne nomment personne que le conseil ne nomme.',
  ],
  [
    'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. While an anonymous council goes on, labels stand for names.',
    'L’argument est le nom d’un conseil en cours, ou une archive : son nom de fichier, chemin, conversationId ou nom. Tant qu’un conseil anonyme est en cours, des lettres remplacent les noms.',
  ],
  [
    'The argument is the name of an active council, or an archive: its stem, path, conversationId or name. Unknown values are null, never 0. With --messages it is what the log of messages says: sent, received, latency, errors, retries, timeouts, by type and agent.',
    'L’argument est le nom d’un conseil en cours, ou une archive : son nom de fichier, chemin, conversationId ou nom. Une valeur inconnue est null, jamais 0. Avec --messages, c’est ce que dit le journal des messages : envoyés, reçus, délais, erreurs, reprises, expirations, par type et par agent.',
  ],
  ['of the messages between agents, instead of a council', 'des messages entre agents, et non d’un conseil'],
  [
    'with --messages, only from then on: 2h, 2026-11-01 or 2026-11-01T12:00:00Z',
    'avec --messages, seulement depuis lors : 2h, 2026-11-01 ou 2026-11-01T12:00:00Z',
  ],
  [
    'the recipient, unless --to names it, and the text',
    'le destinataire, si --to ne le nomme pas, et le texte',
  ],
  [
    'the recipient: an agent, a group, all, human or supervisor',
    'le destinataire : un agent, un groupe, all, human ou supervisor',
  ],
  ['who sends it', 'qui l’envoie'],
];
