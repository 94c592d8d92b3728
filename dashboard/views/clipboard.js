// Copies the text beside the button; where the browser forbids it, the text is selected instead.

export default function (component) {
  const { parentElement, data } = component;
  const code = parentElement.querySelector("code");
  const button = parentElement.querySelector("button");
  code.textContent = data.text;
  button.textContent = data.copy;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(data.text);
      button.textContent = data.copied;
    } catch {
      window.getSelection().selectAllChildren(code);
    }
  };
}
