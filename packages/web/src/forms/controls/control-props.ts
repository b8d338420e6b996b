import type { Field } from "../field.ts";

/** What a file of the settings is, to runners and to people. */
export interface KeptFile {
  file_key: string;
  file_name: string;
  mime_type: string | null;
}

/** What controls need of the server. */
export interface FormPorts {
  keepFile(file: File): Promise<KeptFile>;
  /** Null where secrets can't be stored from here. */
  storeSecret: ((name: string, value: string) => Promise<unknown>) | null;
}

export interface ControlProps {
  field: Field;
  value: unknown;
  /** Of the element that the label belongs to. */
  id: string;
  /** Of the texts that say more: the description, the reason of a lock, what is wrong. */
  describedBy: string | undefined;
  isInvalid: boolean;
  isDisabled: boolean;
  ports: FormPorts;
  onChange(value: unknown): void;
}

/** The attributes that every control has, for those who do not see the page. */
export function describe({ id, describedBy, isInvalid, isDisabled, field }: ControlProps) {
  return {
    ...{ id, disabled: isDisabled, required: field.isRequired },
    ...{ "aria-describedby": describedBy, "aria-invalid": isInvalid || undefined },
  };
}
