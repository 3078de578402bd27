// French for the help of doctor, agents, modes and open: their options.
import type { FrenchRow } from '../../core/base/words/to-french.ts';

export const HELP_OF_AGENTS: readonly FrenchRow[] = [
  // doctor, agents, modes, open
  [
    'Looks at Node, the project, its file system, the store, the private folder, agent programs and the schedule, and changes nothing. Exit 1 when there is an error among the findings. --probe launches the agents of agents/ with a one-word question, which may cost tokens; where a schedule is installed it does so a second time, with nothing but the variables that cron or systemd give them.',
    'Regarde Node, le projet, son système de fichiers, les données, le dossier privé, les programmes d’agents et la planification, et ne change rien. Code de sortie 1 s’il y a une erreur. --probe lance les agents de agents/ avec une question d’un mot, ce qui peut coûter des jetons ; là où une planification est installée, il le fait une seconde fois, avec les seules variables que cron ou systemd leur donnent.',
  ],
  [
    'ask every agent of agents/ for one word, 60 s each',
    'demande un mot à chaque agent de agents/, 60 s chacun',
  ],
  [
    'Which for which question: reasoning takes a vote (debate), knowledge a consensus (analysis), a text drafts (synthesis) or a ranking (rank), a change or a document one round across (code, review). docs/course.md has the sources.',
    'Lequel pour quelle question : raisonner demande un vote (debate), savoir un consensus (analysis), un texte des versions (synthesis) ou un classement (rank), un changement ou un document un tour croisé (code, review). Les sources sont dans docs/course.md.',
  ],
  ['what to do', 'ce qu’il faut faire'],
  ['how long one launch may take', 'la durée d’un lancement'],
  [
    'Actions: list (default), show ID, add ID [-- COMMAND …], edit ID, remove ID, check [ID], personas [NAME] (parts that a model can play, and the tables of --table; or the text of one), key ID (a key to sign its messages with, outside the project), register (a worker joins, changes or leaves by lines of version 5 on stdin, and the answers are printed), metrics [ID] and health [ID] (how they do on tasks; health ends with 1 where one is Down). On a terminal, add and edit ask for what was not given, and remove asks first. edit changes what is given and leaves the rest of the file, comments too; an empty value or --unset takes a key out. Agents are Markdown files in agents/, .claude/agents/, ~/.claude/agents/ and .opencode/agents/.',
    'Actions : list (par défaut), show ID, add ID [-- COMMANDE …], edit ID, remove ID, check [ID], personas [NOM] (les rôles qu’un modèle peut jouer, et les tables de --table ; ou le texte de l’un), key ID (une clé pour signer ses messages, hors du projet), register (un worker arrive, change ou part par des lignes de la version 5 sur l’entrée standard, et les réponses sont affichées), metrics [ID] et health [ID] (leurs résultats aux tâches ; health finit par 1 si l’un est Down). Sur un terminal, add et edit demandent ce qui n’a pas été donné, et remove pose d’abord la question. edit change ce qui est donné et laisse le reste du fichier, commentaires compris ; une valeur vide ou --unset enlève une clé. Les agents sont des fichiers Markdown dans agents/, .claude/agents/, ~/.claude/agents/ et .opencode/agents/.',
  ],
  ['the agent; for personas, which one', 'l’agent ; pour personas, lequel'],
  ['the program and its arguments', 'le programme et ses arguments'],
  [
    'command if there is one, else what the id, --model or --base-url names',
    'command s’il y a une commande, sinon ce que nomme l’identifiant, --model ou --base-url',
  ],
  ['the model, by the name the runner knows', 'le modèle, sous le nom que le programme connaît'],
  ['its own', 'le sien'],
  [
    'the address of a server that speaks like OpenAI, such as http://127.0.0.1:8080/v1',
    'l’adresse d’un serveur qui parle comme OpenAI, telle que http://127.0.0.1:8080/v1',
  ],
  ["the provider's", 'celle du fournisseur'],
  [
    'the name of the variable that holds the key of its model, never the key itself',
    'le nom de la variable qui contient la clé de son modèle, jamais la clé elle-même',
  ],
  ["the provider's usual one", 'celle, habituelle, du fournisseur'],
  ['the name that is shown', 'le nom affiché'],
  ['what it is for, in a line', 'à quoi il sert, en une ligne'],
  ['one emoji', 'un emoji'],
  [
    'prompt or json on stdin, or line by line in tasks',
    'prompt ou json sur l’entrée standard, ou ligne par ligne dans les tâches',
  ],
  ['an environment variable passed to the program', 'une variable d’environnement passée au programme'],
  ['what the agent is good at', 'ce que l’agent sait faire'],
  ['a tool that it may use', 'un outil qu’il peut utiliser'],
  [
    'what it may send to whom: orchestrator, leader or worker',
    'ce qu’il peut envoyer, et à qui : orchestrator, leader ou worker',
  ],
  ['none, it may send anything', 'aucun, il peut tout envoyer'],
  [
    'permanent, or temporary: gone when it leaves or its ttl is over',
    'permanent, ou temporary : il disparaît quand il part ou que son délai est passé',
  ],
  [
    'how long a temporary agent exists, from when its file was written',
    'la durée de vie d’un agent temporaire, depuis l’écriture de son fichier',
  ],
  ['until it is removed or leaves', 'jusqu’à ce qu’il soit supprimé ou parte'],
  ['how often a task may be handed on', 'combien de fois une tâche peut être transmise'],
  ["the project's", 'celui du projet'],
  ['how many tasks it works on at once', 'combien de tâches il mène à la fois'],
  ['how many launches a minute at most', 'combien de lancements par minute au plus'],
  ['who serves the model: {names}', 'qui sert le modèle : {names}'],
  ['what the model says before its slash', 'ce qui précède la barre oblique du modèle'],
  ['how freely the model chooses its words', 'avec quelle liberté le modèle choisit ses mots'],
  ["the model's", 'celle du modèle'],
  ['tokens of one answer of the model', 'les jetons d’une réponse du modèle'],
  [
    'how often the model may call tools in one task',
    'combien de fois le modèle peut appeler des outils dans une tâche',
  ],
  ['whether a model that can think first does so', 'si un modèle qui sait réfléchir d’abord le fait'],
  ['an MCP server whose tools it gets', 'un serveur MCP dont il reçoit les outils'],
  [
    'a label that a heartbeat must have to launch it',
    'une étiquette qu’un heartbeat doit avoir pour le lancer',
  ],
  ['any heartbeat', 'n’importe quel heartbeat'],
  ['how risky it is to launch it: low, medium or high', 'le risque à le lancer : low, medium ou high'],
  [
    'who the agent is: a persona by name, a file, or a sentence',
    'qui est l’agent : un persona par son nom, un fichier, ou une phrase',
  ],
  [
    'register: what the worker says, lines of version 5; otherwise stdin',
    'register : ce que dit le worker, des lignes de la version 5 ; sinon l’entrée standard',
  ],
  ['register: which agent the worker is', 'register : quel agent est le worker'],
  ['edit: take a key out of the file', 'edit : enlève une clé du fichier'],
  ['remove: do not ask', 'remove : ne pose pas la question'],
  ['key: replace the key by a new one', 'key : remplace la clé par une nouvelle'],
  [
    'key: remove it; unsigned messages are believed again',
    'key : l’enlève ; les messages sans signature sont crus de nouveau',
  ],
  [
    'Starts council serve --heartbeat where no server of this project runs here. The link works once, for one minute; the browser gets it in a file that only you can read. From the first time on, this machine is asked for a code or a token like every other one. See docs/server/web.md.',
    'Lance council serve --heartbeat si aucun serveur de ce projet ne tourne ici. Le lien marche une fois, pendant une minute ; le navigateur le reçoit dans un fichier que vous seul pouvez lire. Dès la première fois, cette machine doit donner un code ou un jeton comme toute autre. Voir docs/server/web.md.',
  ],
  ['an active council or an archive', 'un conseil en cours ou une archive'],
  ['the councils of this project', 'les conseils de ce projet'],
  ['print the address only', 'affiche l’adresse seulement'],
];
