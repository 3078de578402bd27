// French for the help of commands that set up, and of those for messages, tasks and clients: their options.
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
