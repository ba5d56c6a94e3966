// The page in a frame of a notebook's cell; ids of selected documents go both ways.
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    // Without allow-same-origin the page cannot reach the notebook.
    frame.sandbox = "allow-scripts allow-downloads";
    frame.title = "psif explorer";
    frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 0;`;
    frame.srcdoc = model.get("page");
    let told = "";
    const hear = event => {
      if (event.source !== frame.contentWindow || !Array.isArray(event.data?.selected)) return;
      told = JSON.stringify(event.data.selected);
      model.set("selected", event.data.selected);
      model.save_changes();
    };
    const tell = () => {
      const selected = model.get("selected");
      if (JSON.stringify(selected) !== told) frame.contentWindow?.postMessage({ select: selected }, "*");
    };
    addEventListener("message", hear);
    model.on("change:selected", tell);
    el.append(frame);
    return () => { removeEventListener("message", hear); model.off("change:selected", tell); };
  },
};
