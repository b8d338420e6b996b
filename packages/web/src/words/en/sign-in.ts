export const signIn = {
  "signIn.title": "Sign in to Drydock",
  "signIn.busy": "Signing in …",
  "signIn.text": "On the machine of the server, this command opens the console, signed in:",
  "signIn.token": "Or use a token that you were given",
  "signIn.verb": "Sign in",
};
