const DOTTED_NAME = /^[\p{ID_Start}_]\p{ID_Continue}*(\.[\p{ID_Start}_]\p{ID_Continue}*)*$/u;

export function describeDottedNameProblem(text: string): string | null {
  return DOTTED_NAME.test(text) ? null : "is not a dotted Python name";
}

/** `numpy` stands for `numpy.linalg` too. */
export function coversImport(ceiling: string, moduleName: string): boolean {
  return moduleName === ceiling || moduleName.startsWith(`${ceiling}.`);
}
