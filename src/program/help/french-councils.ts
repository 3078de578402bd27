// French for the help of commands that hold, follow and show councils, and of doctor, agents, modes and open: their
// options.
import type { FrenchRow } from '../../core/base/words/to-french.ts';

export const HELP_OF_COUNCILS: readonly FrenchRow[] = [
  // ask, run, review
  [
    'Asks each agent of the table without showing it what the others say, and prints each answer when it comes, then where they agree and where they differ. On a terminal it asks how to go on: a debate, a synthesis, a note of yours, the same question anew, or done. Elsewhere it ends there, or goes on with --debate or --synthesis. It is a council like any other: it has a state file and an archive, and no agent is asked twice.',
    'Interroge chaque agent de la table sans lui montrer ce que disent les autres, affiche chaque réponse à son arrivée, puis où ils s’accordent et où ils diffèrent. Sur un terminal, demande comment continuer : un débat, une synthèse, une note de vous, la même question de nouveau, ou fini. Ailleurs, s’arrête là, ou continue avec --debate ou --synthesis. C’est un conseil comme les autres : il a un fichier d’état et une archive, et aucun agent n’est interrogé deux fois.',
  ],
  [
    'Starts a council, launches its agents phase by phase, waits for people until the deadline, and prints the synthesis and the path of the archive. Without agents of your own, those found on PATH take part, or the offline panel. --agents takes ids, a program with a model (claude:opus), a provider with one (mistral/mistral-large-latest), and a persona behind either (gemini@skeptic): for what has no file yet, agents/ID.md is written. Different models help most: in 880 public debates four roles of one model were right in 69 %, one plain answer in 76 %. Ctrl-C leaves the council where it is: run --resume or tick goes on.',
    'Commence un conseil, lance ses agents phase par phase, attend les personnes jusqu’à l’échéance, et affiche la synthèse et le chemin de l’archive. Sans agents à vous, ceux du PATH siègent, ou le panel hors ligne. --agents prend des identifiants, un programme avec un modèle (claude:opus), un fournisseur avec le sien (mistral/mistral-large-latest), et un persona derrière l’un ou l’autre (gemini@skeptic) : pour ce qui n’a pas encore de fichier, agents/ID.md est écrit. Ce qui aide le plus, ce sont des modèles différents : dans 880 débats publics, quatre rôles d’un même modèle avaient raison dans 69 % des cas, une seule réponse simple dans 76 %. Ctrl-C laisse le conseil où il en est : run --resume ou tick le continuent.',
  ],
  ['the question in one line, or a file that asks it', 'la question en une ligne, ou un fichier qui la pose'],
  ["the brief's first heading; what is piped in", 'le premier titre du mandat ; ce qui vient d’un tube'],
  ['{modes}, or one of modes/', '{modes}, ou l’un de modes/'],
  [
    'participants: agents, PROGRAM:MODEL, PROVIDER/MODEL, each with @PERSONA or not; or all',
    'les participants : des agents, PROGRAMME:MODÈLE, FOURNISSEUR/MODÈLE, chacun avec @PERSONA ou non ; ou all',
  ],
  ['everybody in agents/', 'tous ceux de agents/'],
  [
    'personas for a kind of question, one for each seat: {tables}',
    'des personas pour un genre de question, un par siège : {tables}',
  ],
  [
    'a ready-made table: offline (reviewers of decision documents that need no model; mode check)',
    'une table toute prête : offline (des relecteurs de documents de décision, sans modèle ; mode check)',
  ],
  ['who writes the synthesis; none for nobody', 'qui écrit la synthèse ; none pour personne'],
  [
    'as set in COUNCIL.md, else maman if models take part',
    'selon COUNCIL.md, sinon maman si des modèles participent',
  ],
  ['the question and its context, as Markdown', 'la question et son contexte, en Markdown'],
  [
    'give a file, a folder or a glob with the question, which may also name a file itself: @src/queue.ts; what git ignores is left out',
    'joint à la question un fichier, un dossier ou un motif ; elle peut aussi nommer un fichier elle-même : @src/queue.ts ; ce que git ignore est laissé de côté',
  ],
  [
    'give what git diff says, of a range such as main..HEAD; without one, what is not committed',
    'joint ce que dit git diff, d’un intervalle tel que main..HEAD ; sans intervalle, ce qui n’est pas enregistré',
  ],
  [
    'what agent programs may read by themselves: none, or the files of the project',
    'ce que les programmes peuvent lire d’eux-mêmes : none (rien), ou project (les fichiers du projet)',
  ],
  ['how long a phase may last: 30m, 1h, 2d', 'la durée d’une phase : 30m, 1h, 2d'],
  [
    'the most US$ to use up: a launch that may take more than is left is not made',
    'le plus de $US à dépenser : un lancement qui pourrait dépasser le reste n’est pas fait',
  ],
  ['no limit', 'sans limite'],
  [
    'the most tokens, input and output, to use up: a launch that may take more than is left is not made',
    'le plus de jetons à dépenser, entrée et sortie : un lancement qui pourrait dépasser le reste n’est pas fait',
  ],
  ['en or fr', 'en ou fr'],
  [
    'an option that may be decided on (or options: in the brief)',
    'un choix possible de la décision (ou options: dans le mandat)',
  ],
  ["the mode's", 'selon le mode'],
  ['what may settle a tie of votes', 'ce qui peut trancher une égalité'],
  [
    'whose blocking issue cannot be outvoted, separated by commas',
    'de qui un point bloquant ne peut être mis en minorité, séparés par des virgules',
  ],
  ['exclude a participant from the vote, with the reason', 'exclut un participant du vote, avec la raison'],
  [
    'count each vote as its stated confidence, after ten outcomes of every seat',
    'compte chaque voix selon la confiance qu’elle dit, après dix résultats notés de chaque siège',
  ],
  ['play CHALLENGE and RESOLVE up to n times', 'joue CHALLENGE et RESOLVE jusqu’à n fois'],
  [
    'play CHALLENGE and RESOLVE also after blind unanimity',
    'joue CHALLENGE et RESOLVE même après une unanimité à l’aveugle',
  ],
  [
    'ask nobody for the case against after blind unanimity',
    'ne demande à personne de plaider contre après une unanimité à l’aveugle',
  ],
  [
    'self: beside CHALLENGE have each program reconsider its own answer alone, for comparison',
    'self : à côté de CHALLENGE, chaque programme revoit aussi sa réponse seul, pour comparer',
  ],
  ['open, or token: everybody needs their own token', 'open, ou token : à chacun son jeton'],
  [
    'not blind: contributions to COLLECT are visible at once',
    'pas à l’aveugle : les contributions à COLLECT se voient aussitôt',
  ],
  [
    'trust what is seated here to run, without being asked (see council trust)',
    'fait confiance à ce qui siège ici, sans poser la question (voir council trust)',
  ],
  ['a name for this council', 'un nom pour ce conseil'],
  ['words of the question', 'des mots de la question'],
  [
    'let them challenge each other after the blind answers, without being asked',
    'les laisse s’objecter après les réponses à l’aveugle, sans poser la question',
  ],
  [
    'have the coordinator write a synthesis of the blind answers, without being asked',
    'fait écrire par la coordination une synthèse des réponses à l’aveugle, sans poser la question',
  ],
  [
    'take a seat yourself: you answer before you see what the others say',
    'siéger vous-même : vous répondez avant de voir ce que disent les autres',
  ],
  [
    'ask the same table about what came of an archived council; last for the newest',
    'interroge la même table sur ce qui est sorti d’un conseil archivé ; last pour le dernier',
  ],
  [
    'how long a council waits for your choice after the answers, on a terminal',
    'combien de temps un conseil attend votre choix après les réponses, sur un terminal',
  ],
  ['programs that run at the same time', 'les programmes lancés en même temps'],
  [
    'what this machine has, for agents whose runs-on asks for it',
    'ce que cette machine a, pour les agents dont runs-on le demande',
  ],
  [
    'go on with the active council of that name, if there is one',
    'continue le conseil en cours de ce nom, s’il y en a un',
  ],
  [
    'print the result only, not what happens on the way',
    'n’affiche que le résultat, pas ce qui se passe en route',
  ],
  [
    'start without asking, whatever it may cost or add to this folder',
    'commence sans poser de question, quoi que cela coûte ou ajoute à ce dossier',
  ],
  ['the council', 'le conseil'],
  ['active-conversation, or the only active one', 'active-conversation, ou le seul en cours'],
  [
    'show who would sit, what they would be asked and what it may cost; launch and write nothing',
    'montre qui siégerait, ce qui leur serait demandé et ce que cela peut coûter ; ne lance et n’écrit rien',
  ],
  [
    'Each reviewer reads the change alone and writes findings with the code quoted. Council looks every quote up: what stands nowhere in the change is refuted. The others then confirm or reject what is left, and a rule gives the verdict: a finding blocks if it is severe enough, was verified, and two hold it against fewer who reject it. Nothing of the change is executed. --pr reviews a pull request of GitHub, which git fetches without a checkout; --post writes what came of it there, after a yes. --since last reviews what is new since the last review, and goes on with what that left open. Exit code 0: nothing blocks; 1: something does; 3: too few reviewers could be read.',
    'Chaque relecteur lit le changement seul et écrit des constats qui citent le code. Council vérifie chaque citation : ce qui ne figure nulle part dans le changement est réfuté. Les autres confirment ou rejettent ensuite le reste, et une règle donne le verdict : un constat bloque s’il est assez grave, s’il a été vérifié, et si deux le tiennent contre moins qui le rejettent. Rien du changement n’est exécuté. --pr relit une pull request de GitHub, que git prend sans checkout ; --post y écrit ce qui en est sorti, après un oui. --since last relit ce qui est nouveau depuis la dernière relecture, et reprend ce qu’elle a laissé ouvert. Code de sortie 0 : rien ne bloque ; 1 : quelque chose bloque ; 3 : trop peu de relecteurs ont pu être lus.',
  ],
  [
    'commits such as main..HEAD, or files and folders to review as they are',
    'des commits tels que main..HEAD, ou des fichiers et dossiers à relire tels quels',
  ],
  ['what is not committed', 'ce qui n’est pas enregistré'],
  ['review what is staged, as it would be committed', 'relit ce qui est indexé, tel qu’il serait enregistré'],
  ['review a diff as git prints it', 'relit un diff tel que git l’affiche'],
  [
    'review a pull request of GitHub, through the program gh',
    'relit une pull request de GitHub, par le programme gh',
  ],
  [
    'review what is new since the last review, and go on with the findings that it left open',
    'relit ce qui est nouveau depuis la dernière relecture, et reprend les constats laissés ouverts',
  ],
  [
    'go on with a review of this very change that was interrupted: what was said is not asked again',
    'continue une relecture interrompue de ce même changement : ce qui a été dit n’est pas redemandé',
  ],
  [
    'post what came of it to the pull request: one summary, and comments on the lines of what blocks',
    'publie le résultat dans la pull request : un résumé, et des commentaires sur les lignes de ce qui bloque',
  ],
  ['what to look at above all: security,tests', 'ce qu’il faut regarder surtout : security,tests'],
  [
    'the severity from which a finding may block: blocker, major, minor or note',
    'la gravité à partir de laquelle un constat peut bloquer : blocker, major, minor ou note',
  ],
  [
    'how it is printed: text, markdown, json, sarif, github (annotations of GitHub Actions)',
    'la forme du résultat : text, markdown, json, sarif, github (annotations de GitHub Actions)',
  ],
  [
    'write it there as well, in the format of its ending (.sarif, .json, .md), else as it is printed',
    'l’écrit aussi là, selon la terminaison (.sarif, .json, .md), sinon tel qu’affiché',
  ],
  ['words of what is reviewed', 'des mots de ce qui est relu'],
  [
    'show what would be reviewed, by whom, in how many parts and for what price; launch and write nothing',
    'montre ce qui serait relu, par qui, en combien de parties et à quel prix ; ne lance et n’écrit rien',
  ],
  // respond, status, show, export, continue, cancel
  ['the id of the participant', 'l’identifiant du participant'],
  ['the contribution, kept word for word', 'la contribution, gardée mot pour mot'],
  ['stdin, or $EDITOR on a terminal', 'l’entrée standard, ou $EDITOR sur un terminal'],
  ['you can live with what is on the table', 'vous pouvez vous accommoder de ce qui est sur la table'],
  ['you have nothing to add in the coming phases', 'vous n’avez rien à ajouter dans les phases à venir'],
  ['a problem that must be solved first', 'un problème à résoudre d’abord'],
  ['replace what you said in this phase', 'remplace ce que vous avez dit dans cette phase'],
  [
    'the round the text was written for; refused if it is over',
    'le tour pour lequel le texte a été écrit ; refusé s’il est passé',
  ],
  [
    'Of more than 50 councils it tells each in one line; with --json or --name, all there is to tell.',
    'S’il y a plus de 50 conseils, chacun tient en une ligne ; avec --json ou --name, tout est dit.',
  ],
  ['only this council', 'ce conseil seulement'],
  ['every active one', 'tous ceux en cours'],
  [
    'last (the one that ended last), or stem, path, conversationId or name, as list gives them, or a part of one',
    'last (le dernier fini), ou le nom de fichier, le chemin, le conversationId ou le nom, comme list les donne, ou une partie',
  ],
  [
    'last (the one that ended last), or stem, path, conversationId or name, as list gives them, or a part of one; for html and svg also an active council',
    'last (le dernier fini), ou le nom de fichier, le chemin, le conversationId ou le nom, comme list les donne, ou une partie ; pour html et svg, aussi un conseil en cours',
  ],
  [
    'md, json, adr (a decision record), html (one page that needs nothing else) or svg (how positions moved)',
    'md, json, adr (un relevé de décision), html (une page qui se suffit) ou svg (le mouvement des positions)',
  ],
  ['the ending of --output, else md', 'la terminaison de --output, sinon md'],
  ['write there instead of stdout', 'écrit là au lieu de la sortie standard'],
  ['the reason, kept in the archive', 'la raison, gardée dans l’archive'],
  ['asked for on a terminal', 'demandée sur un terminal'],
];

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
