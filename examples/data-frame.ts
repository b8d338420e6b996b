// The same with a library for data: pandas, numpy and matplotlib are there.
import { agents, executeCode } from "drydock";

const { result } = await executeCode(`
  Create a pandas DataFrame with the columns name, age and city:
  - Alice, 25, Tokyo
  - Bob, 30, New York
  - Charlie, 35, London
  Calculate the average age.
`);

console.log(`average age: ${result}`);
await agents.close();
