/** Where the console is on the server. Below it, every address that is no file is a page of the console. */
export const CONSOLE_PATH = "/console";
