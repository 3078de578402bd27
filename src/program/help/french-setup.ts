// French for the help of commands that set up, step in and look back, and of those for messages, tasks and clients:
// their options.
import type { FrenchRow } from '../../core/base/words/to-french.ts';

export const HELP_OF_SETUP: readonly FrenchRow[] = [
  ['whose inbox', 'de qui est la boîte'],
  ['the channel', 'le canal'],
  ['all of them', 'tous'],
  ['only what is not acknowledged', 'seulement ce dont il n’est pas accusé réception'],
  [
    'only from then on: 2h, 2026-11-01 or 2026-11-01T12:00:00Z',
    'seulement depuis lors : 2h, 2026-11-01 ou 2026-11-01T12:00:00Z',
  ],
  ['how many, the newest', 'combien, les plus récents'],
  ['wait for the answer, and print it', 'attend la réponse, et l’affiche'],
  ['the channel; made when it is missing', 'le canal ; créé s’il manque'],
  ['for ever', 'pour toujours'],
  ['the message that it answers', 'le message auquel il répond'],
  ['whose messages they are', 'de qui sont les messages'],
  ['whose messages', 'de qui sont les messages'],
  ['why; the sender is told', 'la raison ; l’expéditeur l’apprend'],
  [
    'Actions: list (default), show NAME, follow NAME (until Ctrl-C), create NAME. Without a name it is general. A channel is also made by its first message.',
    'Actions : list (par défaut), show NOM, follow NOM (jusqu’à Ctrl-C), create NOM. Sans nom, c’est general. Le premier message crée aussi un canal.',
  ],
  ['go on with each new entry, until Ctrl-C', 'continue à chaque nouvelle ligne, jusqu’à Ctrl-C'],
  ['who does it', 'qui s’en charge'],
  ['whoever fits best', 'celui qui convient le mieux'],
  ["the agent's", 'celui de l’agent'],
  ["the agent's, or 5m", 'celui de l’agent, ou 5m'],
  ['how many workers at once', 'combien d’agents à la fois'],
  [
    'show who could do it, and who would be chosen; run nothing',
    'montre qui pourrait s’en charger et qui serait choisi ; ne lance rien',
  ],
  [
    'trust the workers that are named, without being asked',
    'fait confiance aux agents nommés, sans question',
  ],
  ['list also the sessions that are over', 'liste aussi les sessions terminées'],
  ['an archive', 'une archive'],
  [
    'files, folders or globs, relative to the project folder',
    'des fichiers, dossiers ou motifs, relatifs au dossier du projet',
  ],
  ['who reserves them', 'qui les réserve'],
  ['for how long', 'pour combien de temps'],
  ['whose reservations', 'de qui sont les réservations'],
  ['all of yours', 'toutes les vôtres'],
  ['which request', 'quelle demande'],
  ['who decides, a person', 'qui décide, une personne'],
  ['your user name', 'votre nom d’utilisateur'],
  ['why it is rejected; the agent is told', 'la raison du refus ; l’agent l’apprend'],
  [
    'Prepares this folder, and writes an agent file for each agent program on PATH that answers (claude, codex, gemini, opencode, openclaw, ollama, llm). Overwrites nothing. In a folder that is not empty and no project yet, it says what it will add and asks first, as run and start do; --yes, a script without a terminal and --json go on at once.',
    'Prépare ce dossier, et écrit un fichier pour chaque programme d’agent du PATH qui répond (claude, codex, gemini, opencode, openclaw, ollama, llm). N’écrase rien. Dans un dossier qui n’est ni vide ni déjà un projet, dit ce qu’il va ajouter et demande d’abord, comme run et start ; avec --yes, --json ou sans terminal, continue aussitôt.',
  ],
  ['that of the environment', 'celle de l’environnement'],
  ['write no agent files', 'n’écrit aucun fichier d’agent'],
  [
    'prepare a folder that is not empty without being asked',
    'prépare sans question un dossier qui n’est pas vide',
  ],
  [
    'Shows every command of this project that nobody has trusted (agents, and the notify command of COUNCIL.md) and asks. Until then nothing of it is run. Trust is kept outside the project, for this very folder and these very commands: a changed command, a moved folder and a copy ask again.',
    'Montre chaque commande de ce projet à qui personne n’a fait confiance (agents, et la commande notify de COUNCIL.md), et demande. D’ici là, rien n’en est lancé. La confiance est gardée hors du projet, pour ce dossier et ces commandes précis : une commande modifiée, un dossier déplacé ou une copie font redemander.',
  ],
  ['trust without being asked, for scripts', 'fait confiance sans question, pour les scripts'],
  [
    'show what is trusted and what is not, and change nothing',
    'montre ce qui a votre confiance ou non, sans rien changer',
  ],
  [
    'forget it all: nothing of this project runs any more',
    'oublie tout : plus rien de ce projet n’est lancé',
  ],
  ['show this one', 'montre celui-ci'],
  [
    'Writes a marked block into your crontab, or a systemd user timer. Agents that log in by a variable need it there: install lists those that are used and set, asks which of them to write, and puts them into a file of mode 0600 outside the project. Values are never shown.',
    'Écrit un bloc marqué dans votre crontab, ou un minuteur systemd d’utilisateur. Les agents qui se connectent par une variable en ont besoin là aussi : install liste celles qui servent et ont une valeur, demande lesquelles écrire, et les met dans un fichier en mode 0600 hors du projet. Les valeurs ne sont jamais montrées.',
  ],
  [
    'a systemd user timer instead of a crontab block',
    'un minuteur systemd d’utilisateur au lieu d’un bloc de crontab',
  ],
  ['the systemd user timer', 'le minuteur systemd d’utilisateur'],
  ['the schedule', 'l’horaire'],
  ['print what would be written', 'affiche ce qui serait écrit'],
  ['print what would be removed', 'affiche ce qui serait enlevé'],
  ['say what would be done, and do nothing', 'dit ce qui serait fait, et ne fait rien'],
  [
    'Serves the tools ask, verdict, view, respond and archives; --tools offers other groups, or all. With --http it listens on 127.0.0.1 instead and asks for a bearer token: COUNCIL_MCP_TOKEN, or one that is made and printed. See docs/server/mcp.md.',
    'Offre les outils ask, verdict, view, respond et archives ; --tools en offre d’autres groupes, ou tous. Avec --http, écoute sur 127.0.0.1 et demande un jeton : COUNCIL_MCP_TOKEN, ou un jeton créé et affiché. Voir docs/server/mcp.md.',
  ],
  [
    'listen on this port of 127.0.0.1; 0 for any that is free',
    'écoute sur ce port de 127.0.0.1 ; 0 pour un port libre',
  ],
  [
    'which tools it offers: council, steps, records, messages, tasks, files, or all',
    'les outils offerts : council, steps, records, messages, tasks, files, ou all',
  ],
  ['listen on this address of this machine', 'écoute à cette adresse de la machine'],
  ['0 for any that is free', '0 pour un port libre'],
  [
    'move the councils on as well, like council heartbeat',
    'fait aussi avancer les conseils, comme council heartbeat',
  ],
  [
    'the HTTPS address that people know it by, where something in front ends TLS',
    'l’adresse HTTPS publique, si TLS se termine devant le serveur',
  ],
  [
    'The link opens this one seat of this one council, for a week or until --revoke. Whoever has it speaks as that participant. See docs/server/web.md.',
    'Le lien ouvre ce seul siège de ce seul conseil, pour une semaine ou jusqu’à --revoke. Qui l’a parle au nom de ce participant. Voir docs/server/web.md.',
  ],
  ['the participant', 'le participant'],
  ['take back what opens that seat', 'reprend ce qui ouvre ce siège'],
  [
    'The only action is install. It writes SKILL.md, and HEARTBEAT-COUNCIL.md for assistants that are woken at intervals, into .claude/skills/council and .agents/skills/council of this project. A file that was changed is left alone without --force.',
    'La seule action est install. Elle écrit SKILL.md, et HEARTBEAT-COUNCIL.md pour les assistants réveillés à intervalles, dans .claude/skills/council et .agents/skills/council de ce projet. Sans --force, un fichier modifié reste tel quel.',
  ],
  ['install is the only one', 'install est la seule'],
  [
    'only the folder that this one reads: claude, codex, gemini, opencode, openclaw',
    'seulement le dossier que lit celui-ci : claude, codex, gemini, opencode, openclaw',
  ],
  ['overwrite a file that was changed', 'écrase un fichier modifié'],
  [
    'With the name of a shell it prints the script. install writes it where that shell looks, and says where; what has to stand in the start file of the shell (.bashrc, .zshrc) is added after a question, or with --yes, or else printed. Doing it twice changes nothing; uninstall takes both away.',
    'Avec le nom d’un shell, affiche le script. install l’écrit là où ce shell le cherche, et dit où ; ce qu’il faut dans le fichier de démarrage du shell (.bashrc, .zshrc) est ajouté après une question ou avec --yes, sinon affiché. Le refaire ne change rien ; uninstall enlève les deux.',
  ],
  [
    'a shell, whose script is printed; or install or uninstall',
    'un shell, dont le script est affiché ; ou install, ou uninstall',
  ],
  ['the shell', 'le shell'],
  ['the one in $SHELL', 'celui de $SHELL'],
  [
    'add what the shell needs to its start file without being asked',
    'ajoute sans question ce qu’il faut au fichier de démarrage du shell',
  ],
];

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
