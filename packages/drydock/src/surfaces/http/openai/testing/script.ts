export const WEATHER = {
  name: "weather",
  description: "The weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** What the model says to clients of all kinds. */
export const script = [
  { when: { contains: "It is 21 degrees" }, text: "Warm: 21 degrees.", repeat: "always" },
  {
    when: { contains: "weather in Rome" },
    toolCalls: [{ name: "weather", arguments: { city: "Rome" } }],
    repeat: "always",
  },
  { when: { contains: "fail" }, error: "the provider is on fire", repeat: "always" },
  { text: "Hello from the script.", repeat: "always" },
];
