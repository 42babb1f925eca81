/** A new volume, which files can be put into then. */
import { useNavigate } from "@tanstack/react-router";
import { api, type Schemas, take } from "../../api/client";
import { NewInLayer } from "../NewInLayer";

interface Props {
  layer?: string;
  /** What to do with it; without that, its page is opened. */
  onMade?: (volume: Schemas["VolumeOut"]) => void;
}

export function NewVolume({ layer, onMade }: Props) {
  const navigate = useNavigate();
  return (
    <NewInLayer
      what="volume"
      example="uploads"
      layer={layer}
      variant={onMade && "default"}
      make={(body) => take(api.POST("/api/v1/volumes", { body }))}
      onMade={onMade ?? ((made) => navigate({ to: "/volumes/$volumeId", params: { volumeId: made.id } }))}
    />
  );
}
