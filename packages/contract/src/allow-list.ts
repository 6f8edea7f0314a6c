/** Below this path lie the lists that firewalls read: `/allow-list/TOKEN.txt` or `.json`. */
export const ALLOW_LIST_PATH = '/allow-list';
